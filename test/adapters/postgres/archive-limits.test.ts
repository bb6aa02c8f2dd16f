import { createPostgresArchive, type PostgresLike } from 'dealwright/postgres';
import { expect, it } from 'vitest';
import { dealRecords as records } from './new-records.js';

/** A server that accepts all rows into empty tables, and may fail at some statements. */
function taking(failing: (text: string) => Error | undefined = () => undefined) {
  const sent: { readonly text: string; readonly size: number; readonly rows: number }[] = [];
  const client: PostgresLike = {
    async query({ text, values = [] }) {
      const error = failing(text);
      if (error !== undefined) throw error;
      const size = values.reduce((sum: number, value) => sum + String(value).length, 0);
      // the column of partner_ids has commas only between rows
      const isWriting = text.startsWith('insert');
      const count = text.includes('.deals ') ? String(values[1]).split(',').length : 1;
      const rows = isWriting ? count : 0;
      sent.push({ text, size, rows });
      if (text.includes('max(next)')) return { rows: [{ answer: '["1","7"]' }] };
      // the server has no index that a restore would drop
      if (text.includes('pg_index') || text.startsWith('select 1 ')) return { rows: [] };
      if (isWriting) return { rows: Array.from({ length: rows }, () => ({ answer: 1 })) };
      return { rows: [{ answer: text.includes('pg_xact_status') ? 'committed' : '0' }] };
    },
  };
  return { client, written: () => sent.filter(({ text }) => text.startsWith('insert')) };
}

it('a restore sends at most 4,000 records at a time, and at most some 8 MiB', async () => {
  const short = taking();
  expect(await createPostgresArchive(short.client).restore(records(8_100, 'short'))).toBe(8_100);
  expect(short.written().map(({ rows }) => rows)).toEqual([4_000, 4_000, 100]);
  const mebibyte = 1_024 * 1_024;
  const long = taking();
  const text = 'd'.repeat(mebibyte);
  expect(await createPostgresArchive(long.client).restore(records(20, text))).toBe(20);
  expect(long.written().map(({ rows }) => rows)).toEqual([8, 8, 4]);
  for (const { size } of long.written()) expect(size).toBeLessThan(9 * mebibyte);
});

const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', query: 'SECRET' });

it.each(['commit', 'select pg_xact_status'])(
  'says that all may be there if the connection is lost at "%s"',
  async (words) => {
    const { client } = taking((text) => (text.startsWith(words) ? lost : undefined));
    const restored = createPostgresArchive(client).restore(records(1, 'short'));
    await expect(restored).rejects.toMatchObject({
      message: expect.stringContaining('may have been restored'),
      cause: { code: 'ECONNRESET' },
    });
  },
);

it.each(['insert', 'update'])('says the error itself if it is lost before: %s', async (word) => {
  const { client } = taking((text) => (text.includes(`${word} `) ? lost : undefined));
  const restored = createPostgresArchive(client).restore(records(1, 'short'));
  await expect(restored).rejects.toMatchObject({ message: 'read ECONNRESET', code: 'ECONNRESET' });
});

it('says the error itself if the server refuses to commit', async () => {
  const refused = Object.assign(new Error('could not serialize'), { code: '40001' });
  const { client } = taking((text) => (text === 'commit' ? refused : undefined));
  const restored = createPostgresArchive(client).restore(records(1, 'short'));
  await expect(restored).rejects.toMatchObject({ code: '40001' });
});
