import { defineMiddleware } from 'astro:middleware';

// In the place of security.checkOrigin, which refuses programs too: they send no Origin. A page of
// another site sends its own, and may act for nobody whose cookie the browser adds.
export const onRequest = defineMiddleware(({ request, url }, next) => {
  const origin = request.headers.get('origin') ?? url.origin;
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (isSafe || origin === url.origin || !request.headers.has('cookie')) return next();
  return new Response('A page of another site may not do this.\n', { status: 403 });
});
