import { createFetchHandler } from 'dealwright/http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

// the session comes beside the request, because a page cannot set the cookies of one
const callerBeside = (_: Request, session: { headers: Headers }) => callerOf(session);
const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerBeside });

// for programs of the page: `fetch` of a client, a test, an interactive example
Object.assign(globalThis, { deals });
