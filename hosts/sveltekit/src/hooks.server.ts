import type { Handle } from '@sveltejs/kit/hooks';

// In the place of SvelteKit's own check, which refuses programs too: they send no Origin. A page of
// another site sends its own, and may act for nobody whose cookie the browser adds.
export const handle: Handle = ({ event, resolve }) => {
  const { headers, method } = event.request;
  const origin = headers.get('origin') ?? event.url.origin;
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (isSafe || origin === event.url.origin || !headers.has('cookie')) return resolve(event);
  return new Response('A page of another site may not do this.\n', { status: 403 });
};
