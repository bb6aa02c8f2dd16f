import type { Handle } from '@sveltejs/kit/hooks';
// from the start, and not from the first request: what is due waits for nobody
import './lib/deals.ts';

// In the place of SvelteKit's own check, which refuses programs too, since they send no Origin.
// A page of another site sends its own: it may do nothing with the cookies of this one. The deals
// check that themselves.
export const handle: Handle = ({ event, resolve }) => {
  const { headers, method } = event.request;
  const origin = headers.get('origin') ?? event.url.origin;
  const isDeals = event.url.pathname.startsWith('/deals/');
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (isDeals || isSafe || origin === event.url.origin || !headers.has('cookie'))
    return resolve(event);
  return new Response('A page of another site may not do this.\n', { status: 403 });
};
