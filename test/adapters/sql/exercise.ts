import type { Store, Tenant } from 'dealwright/ports';
import { additionOf, registration } from './writes.js';

const at = '2026-01-01T00:00:00.000Z';
/** JSON in a text, quotes, backslashes, other alphabets, words that libraries take for other values. */
const texts = ['{"a_b": [1]}', 'it\'s \\ "quoted" $1 ?', 'zażółć 日本 😀', 'NULL', ' true ', '12'];

/** What is the same for each store: its own numbers and times are left out. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each) =>
      ['id', 'attempt', 'cursor', 'end', 'tenant', 'stage_ids', 'answer'].includes(name)
        ? undefined
        : each,
    ),
  );
}

/**
 * A small part of the contract, each kind of statement once: writes with values that are null and
 * texts of every kind, a refusal with the first answer, a change, and all reads. The answer is the
 * same for each sound store.
 */
export async function exercise(store: Omit<Store, 'watch'>, tenant: Tenant): Promise<unknown> {
  const first = (await store.reserve(tenant.environment, 2 * texts.length))._unsafeUnwrap();
  // shared by all tenants: the first one registers it
  const registered = await store.commit(tenant, registration());
  const writes = texts.map((title, nth) =>
    additionOf(first + 2 * nth, `deal ${nth}`, {
      ...{ title, description: title, stage: title, key: `key ${nth}` },
      ...{ due_at: at, attention: 'true' },
    }),
  );
  const made = [];
  for (const write of writes) made.push(await store.commit(tenant, write));
  const [write] = writes;
  if (write === undefined) throw new Error('there is no write');
  const again = await store.commit(tenant, { ...write, attempt: 'another' });
  const changed = await store.commit(tenant, {
    ...{ attempt: 'change', insert: [], events: [] },
    expect: [
      { present: 'deal', key: 'deal 0', where: { status: ['created', 'accepted'] } },
      { fewer: 'stage', under: 'deal 0', than: 2 },
    ],
    change: [{ kind: 'deal', key: 'deal 0', set: { due_at: null, status: 'accepted' } }],
  });
  const unmet = await store.commit(tenant, {
    ...{ attempt: 'unmet', insert: [], events: [], change: [] },
    expect: [{ present: 'deal', key: 'deal 0', where: { status: ['created'] } }],
  });
  const key = { created_at: at, attempt: '' };
  const range = { direction: 'newer', from: key, limit: 10 } as const;
  const read = [
    await store.deals.byId(tenant, first, ['stage']),
    await store.deals.byPartnerId(tenant, 'deal 1', ['stage']),
    await store.deals.byPartnerId(tenant, 'missing', []),
    await store.deals.list(tenant, {}, range),
    await store.events.after(tenant, undefined, 10),
    await store.events.of(tenant, 'deal:deal 2', 0, 10),
    await store.workFiles.recorded(tenant, ['missing']),
    await store.records.list(tenant, 'webhook', { direction: 'ascending', limit: 5 }),
    await store.due(tenant, 'deal', at, 10),
  ];
  const many = await Promise.all(
    texts.map((_, nth) => store.deals.byPartnerId(tenant, `deal ${nth}`, ['stage'])),
  );
  return plain([registered.map(({ outcome }) => outcome), made, again, changed, unmet, read, many]);
}
