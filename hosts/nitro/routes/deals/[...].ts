import { createFetchHandler } from 'dealwright/http';
import { defineHandler } from 'nitro/h3';
import { dealwright } from '../../deals.ts';
import { callerOf } from '../../users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default defineHandler((event) => deals(event.req));
