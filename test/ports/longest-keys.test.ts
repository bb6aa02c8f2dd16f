import { createMarketplace, type Tenant } from 'dealwright';
import { createKeyValueStore } from 'dealwright/key-value';
import {
  type Kind,
  longestIndexed,
  longestKeys,
  records,
  type Store,
  shapeOf,
} from 'dealwright/ports';
import { expect, it } from 'vitest';
import { createSortedMap, longestKey } from '../adapters/key-value/sorted-map.js';
import { createPorts } from '../kit/ports.js';
import { contractor, dealV2 } from '../kit/requests.js';

const emoji = '\u{1f600}';
const tenant: Tenant = { environment: 'sandbox', partner: emoji.repeat(128) };
const partner_id = emoji.repeat(40);
const label = (length: number) => 'a'.repeat(length);
const address = `${label(64)}@${[63, 63, 61].map(label).join('.')}`.slice(0, 254);
const deal = { ...dealV2, partner_id, title: emoji.repeat(200), email_freelancer: address };
const options = { idempotencyKey: 'k'.repeat(255) };

type Indexed = keyof typeof longestIndexed;

/** The longest keys of each kind, and the longest indexed values, that the core writes for long input. */
async function longestWritten(store: Store, reference: string) {
  const longest = new Map<Kind, string>();
  const indexed = new Map<Indexed, string>();
  const noteIn = <K>(notes: Map<K, string>, name: K, value: unknown) => {
    const text = String(value ?? '');
    if (text.length > (notes.get(name) ?? '').length) notes.set(name, text);
  };
  const note = (kind: Kind, key: unknown) => noteIn(longest, kind, key);
  const noteRow = (kind: Kind, row: object) => {
    const { key, indexes, across = [] } = shapeOf(kind);
    for (const name of [...indexes.flat(), ...across.flat()] as Indexed[]) {
      if (name !== key) noteIn(indexed, name, new Map(Object.entries(row)).get(name));
    }
  };
  const commit: Store['commit'] = (whom, write) => {
    for (const each of write.expect) {
      if ('absent' in each) note(each.absent, each.key);
      else if ('present' in each) note(each.present, each.key);
    }
    for (const { kind, row } of write.insert) {
      note(kind, (row as Readonly<Record<string, unknown>>)[shapeOf(kind).key]);
      noteRow(kind, row);
    }
    for (const { kind, set } of write.change) noteRow(kind, set);
    for (const event of write.events) {
      note('event', event.id);
      noteRow('event', event);
    }
    return store.commit(whom, write);
  };
  const ports = { ...createPorts(), store: { ...store, commit } };
  const marketplace = createMarketplace(ports, { contractorScope: 'partner' });
  const api = marketplace.partner(tenant);
  (await api.registerContractor({ ...contractor, email: address }, options))._unsafeUnwrap();
  (await api.createDealV2(deal, options))._unsafeUnwrap();
  const sandbox = marketplace.sandbox(tenant);
  (await sandbox.command(partner_id, 'partner', 'invite', {}, options))._unsafeUnwrap();
  (await sandbox.command(partner_id, 'freelancer', 'accept', {}, options))._unsafeUnwrap();
  const report = { status: 'paid', amount: '500.00', reference };
  const paid = await sandbox.command(partner_id, 'operator', 'record-employer-payment', report);
  paid._unsafeUnwrap();
  return { longest, indexed };
}

it('are those of what the core writes if all that it is given is long', async () => {
  const { store } = createPorts();
  const { longest } = await longestWritten(store, '\u0001'.repeat(255));
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

it('have beside them the longest values of the fields that an index has', async () => {
  const { indexed } = await longestWritten(createPorts().store, emoji.repeat(255));
  const sizeOf = (name: Indexed) => {
    const text = indexed.get(name) ?? '';
    return { characters: [...text].length, bytes: new TextEncoder().encode(text).length };
  };
  for (const name of ['title', 'email_key', 'reference', 'subject', 'created_at'] as const) {
    expect([name, sizeOf(name)]).toEqual([name, longestIndexed[name]]);
  }
  expect(indexed.size).toBeGreaterThan(10);
  for (const name of indexed.keys()) {
    expect(sizeOf(name).characters).toBeLessThanOrEqual(longestIndexed[name].characters);
    expect(sizeOf(name).bytes).toBeLessThanOrEqual(longestIndexed[name].bytes);
  }
});

it('make keys of a key-value store of 3,100 characters at most', async () => {
  const kv = createSortedMap();
  await longestWritten(createKeyValueStore(kv), emoji.repeat(255));
  const longest = Math.max(...[...kv.entries.keys()].map((key) => key.length));
  expect(longest).toBeGreaterThan(3_000);
  // in production, and with the longest status
  expect(longest + 'production'.length - 'sandbox'.length + 14).toBeLessThanOrEqual(longestKey);
});
