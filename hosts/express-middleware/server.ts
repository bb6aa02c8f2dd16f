import compression from 'compression';
import { createNodeListener } from 'dealwright/node';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';
import morgan from 'morgan';
import responseTime from 'response-time';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = express();

// all of these have a hand in the answers of whatever comes after them
app.use(morgan('combined', { stream: { write: () => undefined } }));
app.use(responseTime());
app.use(helmet());
app.use(compression({ threshold: 0 }));
app.use(session({ secret: 'a secret', name: 'shop', resave: true, saveUninitialized: true }));

app.use('/deals', createNodeListener(dealwright.handler, { resolveCaller: callerOf }));

app.use(express.json());
app.get('/', (_request, response) => {
  response.send('This page is of Express itself.\n');
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
