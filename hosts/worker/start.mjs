import { spawn } from 'node:child_process';
import workerd from 'workerd';

// the runtime of Cloudflare Workers, on this machine
const socket = `--socket-addr=http=127.0.0.1:${process.env.PORT ?? 3000}`;
const child = spawn(workerd.default, ['serve', socket, 'worker.capnp'], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 0));
