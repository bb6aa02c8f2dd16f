import { setTimeout as pause } from 'node:timers/promises';

await import('./dist/server/entry.mjs');

// Astro loads a route with its first request, and due work must not wait: send one
const { PORT = '3000' } = process.env;
const answers = () => fetch(`http://127.0.0.1:${PORT}/deals/healthz`).catch(() => undefined);
while ((await answers()) === undefined) await pause(100);
