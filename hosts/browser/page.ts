import { createFetchHandler } from 'dealwright/http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

// who is signed in comes beside the request, since a page cannot put cookies into one
const callerBeside = (_: Request, session: { headers: Headers }) => callerOf(session);
const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerBeside });

// what a program of the page calls: `fetch` of a client, a test, an example to click through
Object.assign(globalThis, { deals });
