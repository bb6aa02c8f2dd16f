import { setTimeout as pause } from 'node:timers/promises';

await import('./dist/server/entry.mjs');

// Astro loads a route with its first request: what is due waits for nobody
const { PORT = '3000' } = process.env;
const answers = () => fetch(`http://127.0.0.1:${PORT}/deals/healthz`).catch(() => undefined);
while ((await answers()) === undefined) await pause(100);
