import { connect } from 'node:net';
import { setTimeout } from 'node:timers';
import { demoToken } from './users.ts';

const port = Number(process.env.PORT ?? 3000);

const said = `
The deals are at http://127.0.0.1:${port}/deals
Their reference, to read and to try, is at http://127.0.0.1:${port}/deals/
${demoToken ? `An API token for trying out: ${demoToken}` : 'The API tokens are those of DEALWRIGHT_TOKENS.'}
`;

/** Prints the address as soon as the server listens: another file starts it. */
export function announce(attempts = 600): void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy();
    console.log(said);
  });
  // while a framework builds, nothing listens: print nothing and try again
  socket.on('error', () => {
    if (attempts > 0) setTimeout(announce, 100, attempts - 1).unref();
  });
}
