import { fileURLToPath } from 'node:url';
import { createSqliteStore } from 'dealwright/sqlite';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../kit/children.js';
import { acme } from '../sql/writes.js';
import { createTestFile } from './database.js';

const file = createTestFile();
afterAll(() => file.remove());

/** The line of a process about one deal that it wanted to create. */
interface Said {
  readonly who: string;
  readonly partner_id: string;
  readonly key?: string;
  readonly id: number;
  readonly outcome: 'committed' | 'refused';
  readonly expectation?: number;
  readonly first?: { readonly fingerprint: string; readonly answer: string };
}

it('decides what four processes write to one file as if it had come one by one', async () => {
  const script = fileURLToPath(new URL('children/commit.mjs', import.meta.url));
  // names of different lengths, so that each process begins with another name
  const processes = ['a', 'bb', 'ccc', 'dddd'];
  const ended = await Promise.all(
    processes.map((who) => run(process.execPath, [script, file.path, who, '4'])),
  );
  expect(ended.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
  const lines = ended.flatMap(({ stdout }) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  const applied = lines.filter((line) => 'applied' in line).map((line) => line.applied);
  expect(applied.sort()).toEqual([[], [], [], [1, 2, 3, 4, 5, 6, 7]]);

  const said: Said[] = lines.filter((line) => 'partner_id' in line);
  expect(said.length).toBe(4 * 120);
  const won = said.filter(({ outcome }) => outcome === 'committed');
  const store = createSqliteStore(file.open());
  const byKey = new Map(won.filter(({ key }) => key !== undefined).map((each) => [each.key, each]));
  const byName = new Map(won.map((each) => [each.partner_id, each]));
  expect(byName.size).toBe(won.length);
  for (const each of said) {
    const winner = byName.get(each.partner_id);
    if (each.outcome === 'committed') {
      const read = await store.deals.byPartnerId(acme, each.partner_id, ['stage']);
      const { who: title, id, partner_id } = each;
      expect(read._unsafeUnwrap()).toMatchObject({
        deal: { title, id, partner_id, version: 1 },
        stage: [{ id: id + 1, name: title, partner_id }],
      });
    } else if (each.first === undefined) {
      expect(each.expectation).toBe(each.key === undefined ? 0 : 1);
      expect(winner).toBeDefined();
    } else {
      const first = byKey.get(each.key);
      expect(each.expectation).toBe(0);
      expect(each.first.fingerprint).toBe(first?.who);
      expect(JSON.parse(each.first.answer)).toEqual({ id: first?.id });
    }
  }

  // several processes have won some: they did meet
  expect(new Set(won.map(({ who }) => who)).size).toBeGreaterThan(1);
  const ids = said.flatMap(({ id }) => [id, id + 1]);
  expect(new Set(ids).size).toBe(ids.length);
  const log = (await store.events.after(acme, undefined, 1000))._unsafeUnwrap();
  const subjects = log === 'invalid_cursor' ? [] : log.events.map(({ subject }) => subject);
  expect(subjects.sort()).toEqual(won.map(({ partner_id }) => `deal:${partner_id}`).sort());
});
