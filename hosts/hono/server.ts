import { serve } from '@hono/node-server';
import { createFetchHandler } from 'dealwright/http';
import { Hono } from 'hono';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = new Hono();

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
app.all('/deals/*', (context) => deals(context.req.raw));

app.get('/', (context) => context.text('This page is of Hono itself.\n'));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
