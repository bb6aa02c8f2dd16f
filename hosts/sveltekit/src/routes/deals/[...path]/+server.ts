import { createFetchHandler } from 'dealwright/http';
import { dealwright } from '../../../lib/deals.ts';
import { callerOf } from '../../../lib/users.ts';
import type { RequestHandler } from './$types';

export const trailingSlash = 'ignore';
const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
export const fallback: RequestHandler = ({ request }) => deals(request);
