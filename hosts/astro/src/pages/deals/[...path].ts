import type { APIRoute } from 'astro';
import { createFetchHandler } from 'dealwright/http';
import { dealwright } from '../../deals.ts';
import { callerOf } from '../../users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
export const ALL: APIRoute = ({ request }) => deals(request);
