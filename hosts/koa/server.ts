import { createNodeListener } from 'dealwright/node';
import Koa, { type Context } from 'koa';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = new Koa();

const deals = createNodeListener(dealwright.handler, { resolveCaller: callerOf });
const answer = (koa: Context) => deals(koa.req, koa.res, Object.assign(koa, { respond: false }));
app.use((koa, next) => (koa.path.startsWith('/deals/') ? answer(koa) : next()));

app.use((koa) => {
  koa.body = 'This page is of Koa itself.\n';
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
