import { fileURLToPath } from 'node:url';
import { createSqliteStore } from 'dealwright/sqlite';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../kit/children.js';
import { acme } from './additions.js';
import { createTestFile } from './database.js';

const file = createTestFile();
afterAll(() => file.remove());

/** What a process says of one deal that it wanted to add. */
interface Said {
  readonly who: string;
  readonly isV2: boolean;
  readonly partner_id: string;
  readonly key?: string;
  readonly outcome: 'created' | 'exists' | 'contractor_missing';
  readonly by?: 'partner_id' | 'idempotency_key';
  readonly id?: number;
  readonly stage_ids?: readonly number[];
  readonly first?: {
    readonly fingerprint: string;
    readonly ids?: { readonly id: number };
    readonly payment_token?: string;
  };
}

it('decides what four processes add to one file as if they had come one by one', async () => {
  const script = fileURLToPath(new URL('children/add.mjs', import.meta.url));
  // names of different lengths, so that they want deals of different versions
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
  const [applied, registered] = ['applied', 'registered'].map((name) =>
    lines.filter((line) => name in line).map((line) => line[name]),
  );
  expect(applied?.sort()).toEqual([[], [], [], [1]]);
  expect(registered?.sort()).toEqual(['created', 'exists', 'exists', 'exists']);

  const said: Said[] = lines.filter((line) => 'partner_id' in line);
  expect(said.length).toBe(4 * 120);
  const created = said.filter(({ outcome }) => outcome === 'created');
  const db = file.open();
  const rows = db
    .prepare('select * from dealwright_deals order by partner_id')
    .all() as readonly Readonly<Record<string, unknown>>[];
  expect(rows.map((row) => row['partner_id'])).toEqual(
    created.map(({ partner_id }) => partner_id).sort(),
  );
  const byName = new Map(rows.map((row) => [row['partner_id'], row]));
  const byKey = new Map(rows.map((row) => [row['idempotency_key'], row]));
  for (const each of said) {
    const row = byName.get(each.partner_id);
    if (each.outcome === 'created') {
      expect(row).toMatchObject({
        [each.isV2 ? 'title' : 'name']: each.who,
        id: each.id ?? null,
        idempotency_key: each.key ?? null,
        api_version: each.isV2 ? '2.0' : '1.0',
      });
      const stages = db
        .prepare('select id from dealwright_stages where deal_id = ?')
        .all(each.id ?? 0) as readonly { id: number }[];
      expect(stages.map(({ id }) => id)).toEqual(each.stage_ids ?? []);
    } else if (each.by === 'idempotency_key') {
      const first = byKey.get(each.key);
      expect([first?.['fingerprint'], first?.['id'], first?.['payment_token']]).toEqual([
        each.first?.fingerprint,
        each.first?.ids?.id ?? null,
        each.first?.payment_token ?? null,
      ]);
    } else {
      expect([each.outcome, each.by]).toEqual(['exists', 'partner_id']);
      expect(row).toBeDefined();
    }
  }

  // more than one has won some: they did meet
  expect(new Set(created.map(({ who }) => who)).size).toBeGreaterThan(1);
  const store = createSqliteStore(db);
  const log = (await store.events.after(acme, undefined, 1000))._unsafeUnwrap();
  const subjects = log === 'invalid_cursor' ? [] : log.events.map(({ subject }) => subject);
  expect(subjects.sort()).toEqual(
    [
      ...created.map(({ partner_id }) => `deal:${partner_id}`),
      'contractor:user@example.com',
    ].sort(),
  );
  const ids = created.flatMap(({ id, stage_ids = [] }) =>
    id === undefined ? [] : [id, ...stage_ids],
  );
  expect(new Set(ids).size).toBe(ids.length);
}, 60_000);
