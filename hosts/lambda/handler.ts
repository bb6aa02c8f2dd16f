import { createFetchHandler } from 'dealwright/http';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = new Hono();

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });
app.all('/deals/*', (context) => deals(context.req.raw));

app.get('/', (context) => context.text('This page is of the function itself.\n'));

// a file may have any bytes, whatever its type says
export const handler = handle(app, { isContentTypeBinary: () => true });
