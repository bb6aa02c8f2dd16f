import { expect, it } from 'vitest';
import { wrong } from '../../adapters/cli/problem.js';
import { withDatabase } from '../../adapters/cli/store/database.js';

// there is no server, and it is not called
const place = { kind: 'postgres', url: 'postgres://127.0.0.1:1/none', folder: 'none' } as const;

it.each([
  ['is refused', async () => wrong('first')],
  ['throws', () => Promise.reject(new Error('first'))],
] as const)(
  'tells why what is made of a database %s, though it cannot be closed',
  async (_, end) => {
    const made = await withDatabase(process, place, async ({ close }) => {
      await close();
      // a pool that is ended twice rejects
      await expect(close()).rejects.toThrow(/end/);
      return end();
    });
    expect(made._unsafeUnwrapErr().message).toContain('first');
  },
);
