import { defineMiddleware } from 'astro:middleware';

// Replaces security.checkOrigin, which also refuses programs, because they send no Origin. A page
// of another site sends its own Origin: it must not use the cookies of this site. The deals check
// that themselves.
export const onRequest = defineMiddleware(({ request, url }, next) => {
  const origin = request.headers.get('origin') ?? url.origin;
  const isDeals = url.pathname.startsWith('/deals/');
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (isDeals || isSafe || origin === url.origin || !request.headers.has('cookie')) return next();
  return new Response('A page of another site may not do this.\n', { status: 403 });
});
