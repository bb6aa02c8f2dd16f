import { createNodeListener } from 'dealwright/node';
import express from 'express';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = express();

// mount in front of express.json(): the deals read bodies themselves
app.use('/deals', createNodeListener(dealwright.handler, { resolveCaller: callerOf }));

app.use(express.json());
app.get('/', (_request, response) => {
  response.send('This page is of Express itself.\n');
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
