import { createFetchHandler } from 'dealwright/http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });

// biome-ignore lint/style/noDefaultExport: it is what the runtime looks for
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname.startsWith('/deals/')) return deals(request);
    return new Response('This page is of the Worker itself.\n');
  },
};
