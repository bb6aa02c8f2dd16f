import { defineMiddleware } from 'astro:middleware';

// In the place of security.checkOrigin, which refuses programs too, since they send no Origin.
// A page of another site sends its own: it may do nothing with the cookies of this one. The deals
// check that themselves.
export const onRequest = defineMiddleware(({ request, url }, next) => {
  const origin = request.headers.get('origin') ?? url.origin;
  const isDeals = url.pathname.startsWith('/deals/');
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (isDeals || isSafe || origin === url.origin || !request.headers.has('cookie')) return next();
  return new Response('A page of another site may not do this.\n', { status: 403 });
});
