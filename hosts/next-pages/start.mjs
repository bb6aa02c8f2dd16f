import { setTimeout as pause } from 'node:timers/promises';

// Next sets NODE_ENV to production at every start: read it before
process.env.DEMO_TOKEN ??= process.env.NODE_ENV === 'production' ? '' : 'demo-token';
process.argv.push('start', '--hostname', '127.0.0.1');
await import('next/dist/bin/next');

// Next loads a route with its first request, and due work must not wait: send one
const { PORT = '3000' } = process.env;
const answers = () => fetch(`http://127.0.0.1:${PORT}/deals/healthz`).catch(() => undefined);
while ((await answers()) === undefined) await pause(100);
