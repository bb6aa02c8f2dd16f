import { createNodeListener } from 'dealwright/node';
import { dealwright } from '../../../deals.ts';
import { callerOf } from '../../../users.ts';

// the deals read bodies themselves
export const config = { api: { bodyParser: false } };

// biome-ignore lint/style/noDefaultExport: Next asks for it
export default createNodeListener(dealwright.handler, { resolveCaller: callerOf });
