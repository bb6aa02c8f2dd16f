import type { Handle } from '@sveltejs/kit/hooks';
// start now, not with the first request: due work must not wait for one
import './lib/deals.ts';

// Replaces SvelteKit's own check, which also refuses programs, because they send no Origin. A page
// of another site sends its own Origin: it must not use the cookies of this site. The deals check
// that themselves.
export const handle: Handle = ({ event, resolve }) => {
  const { headers, method } = event.request;
  const origin = headers.get('origin') ?? event.url.origin;
  const isDeals = event.url.pathname.startsWith('/deals/');
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (isDeals || isSafe || origin === event.url.origin || !headers.has('cookie'))
    return resolve(event);
  return new Response('A page of another site may not do this.\n', { status: 403 });
};
