// The handler over PostgreSQL in the Node listener, in a process of its own.
import { createPostgresStore } from 'dealwright/postgres';
import { serveContender } from '../contender.mjs';
import { createApp, listenOnNode } from '../http/contenders/dealwright-app.mjs';
import { createPool, tenant } from './app.mjs';

const [url, token] = process.argv.slice(2);
const store = createPostgresStore(createPool(url));
const server = await listenOnNode(createApp({ token, tenant }, store));

serveContender(() => ({ port: server.address().port }));
