import { createNodeListener } from 'dealwright/node';
import { dealwright } from '../../../deals.ts';
import { callerOf } from '../../../users.ts';

// the deals read bodies themselves, and send files
export const config = { api: { bodyParser: false, responseLimit: false } };

// biome-ignore lint/style/noDefaultExport: Next asks for it
export default createNodeListener(dealwright.handler, { resolveCaller: callerOf });
