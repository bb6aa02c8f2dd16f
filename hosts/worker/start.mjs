import { spawn } from 'node:child_process';
import workerd from 'workerd';

// the runtime of Cloudflare Workers, on this machine
const address = `127.0.0.1:${process.env.PORT ?? 3000}`;
const socket = `--socket-addr=http=${address}`;
const child = spawn(workerd.default, ['serve', socket, 'worker.capnp'], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
console.log(`The deals are at http://${address}/deals`);
child.once('close', (code) => process.exit(code ?? 0));
