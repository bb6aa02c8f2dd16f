import { createMarketplace, type Tenant } from 'dealwright';
import { createKeyValueStore } from 'dealwright/key-value';
import { type Kind, longestKeys, records, type Store, shapeOf } from 'dealwright/ports';
import { expect, it } from 'vitest';
import { createSortedMap } from '../adapters/key-value/sorted-map.js';
import { createPorts } from '../kit/ports.js';
import { contractor, dealV2 } from '../kit/requests.js';

const emoji = '\u{1f600}';
const tenant: Tenant = { environment: 'sandbox', partner: emoji.repeat(128) };
const partner_id = emoji.repeat(40);
const label = (length: number) => 'a'.repeat(length);
const address = `${label(64)}@${[63, 63, 61].map(label).join('.')}`.slice(0, 254);
const options = { idempotencyKey: 'k'.repeat(255) };

/** The longest keys of each kind that the core writes for long input. */
async function longestWritten(store: Store, reference: string) {
  const longest = new Map<Kind, string>();
  const note = (kind: Kind, key: unknown) => {
    const text = String(key);
    if (text.length > (longest.get(kind) ?? '').length) longest.set(kind, text);
  };
  const commit: Store['commit'] = (whom, write) => {
    for (const each of write.expect) {
      if ('absent' in each) note(each.absent, each.key);
      else if ('present' in each) note(each.present, each.key);
    }
    for (const { kind, row } of write.insert) {
      note(kind, (row as Readonly<Record<string, unknown>>)[shapeOf(kind).key]);
    }
    for (const { id } of write.events) note('event', id);
    return store.commit(whom, write);
  };
  const ports = { ...createPorts(), store: { ...store, commit } };
  const marketplace = createMarketplace(ports, { contractorScope: 'partner' });
  const api = marketplace.partner(tenant);
  (await api.registerContractor({ ...contractor, email: address }, options))._unsafeUnwrap();
  (await api.createDealV2({ ...dealV2, partner_id }, options))._unsafeUnwrap();
  const sandbox = marketplace.sandbox(tenant);
  (await sandbox.command(partner_id, 'partner', 'invite', {}, options))._unsafeUnwrap();
  (await sandbox.command(partner_id, 'freelancer', 'accept', {}, options))._unsafeUnwrap();
  const report = { status: 'paid', amount: '500.00', reference };
  const paid = await sandbox.command(partner_id, 'operator', 'record-employer-payment', report);
  paid._unsafeUnwrap();
  return longest;
}

it('are those of what the core writes if all that it is given is long', async () => {
  const { store } = createPorts();
  const longest = await longestWritten(store, '\u0001'.repeat(255));
  const lengthOf = (kind: Kind) => [...(longest.get(kind) ?? '')].length;
  const bytesOf = (kind: Kind) => new TextEncoder().encode(longest.get(kind)).length;
  expect(address.length).toBe(254);
  for (const kind of ['contractor', 'deal', 'answer'] as const) {
    expect([kind, lengthOf(kind), bytesOf(kind)]).toEqual([
      kind,
      longestKeys[kind].characters,
      longestKeys[kind].bytes,
    ]);
  }
  // a report of the longest status comes after others
  const shorter = 'partially_refunded'.length - 'paid'.length;
  expect(lengthOf('payment_report')).toBe(longestKeys.payment_report.characters - shorter);
  for (const kind of Object.keys(records) as Kind[]) {
    expect(lengthOf(kind)).toBeLessThanOrEqual(longestKeys[kind].characters);
    expect(bytesOf(kind)).toBeLessThanOrEqual(longestKeys[kind].bytes);
  }
});

it('make keys of a key-value store of 3,100 characters at most', async () => {
  const kv = createSortedMap();
  await longestWritten(createKeyValueStore(kv), emoji.repeat(255));
  const longest = Math.max(...[...kv.entries.keys()].map((key) => key.length));
  expect(longest).toBeGreaterThan(3_000);
  // in production, and with the longest status
  expect(longest + 'production'.length - 'sandbox'.length + 14).toBeLessThanOrEqual(3_100);
});
