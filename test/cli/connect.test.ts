import { expect, it } from 'vitest';
import { withPostgres } from '../../adapters/cli/store/connect.js';
import { wrong } from '../../adapters/cli/store/store-problem.js';

// nobody listens there, and nobody is asked
const url = 'postgres://127.0.0.1:1/none';

it.each([
  ['is refused', async () => wrong('first')],
  ['throws', () => Promise.reject(new Error('first'))],
] as const)(
  'tells why what is made of a database %s, though it cannot be closed',
  async (_, end) => {
    const made = await withPostgres(url, async ({ connect, close }) => {
      connect();
      await close();
      // a pool that is ended again rejects
      await expect(close()).rejects.toThrow(/end/);
      return end();
    });
    expect(made._unsafeUnwrapErr().message).toContain('first');
  },
);
