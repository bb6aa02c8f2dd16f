import { createFetchHandler } from 'dealwright/http';
import { dealwright } from '../../../deals.ts';
import { callerOf } from '../../../users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });

export { deals as DELETE, deals as GET, deals as HEAD, deals as OPTIONS, deals as POST };
