import { createFetchHandler } from 'dealwright/http';
import { Elysia } from 'elysia';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = new Elysia();

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
app.all('/deals/*', ({ request }) => deals(request), { parse: 'none' });

app.get('/', () => 'This page is of Elysia itself.\n');

app.listen({ port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
