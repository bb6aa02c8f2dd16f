import { expectStatus, group } from './server.js';

/** Decision 5.11. */
export const health = group(
  'health',
  {
    should: {
      '5.11/http/health': '`GET /healthz` needs no token, and is 200 while the server works.',
    },
  },
  (define) => {
    define('5.11/http/health', async ({ anonymous }) => {
      expectStatus(await anonymous.send('GET', '/healthz'), 200);
    });
  },
);
