import { createRelay } from 'dealwright/relay';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { dealV2, tenant } from '../../kit/requests.js';
import { seed } from '../../kit/seed.js';
import { begin, createSender, moves, shortMoves } from '../../kit/sent-requests.js';
import { countOf } from '../../tiers.js';
import { createTestFile } from './database.js';

/** Bytes in tables and indexes for each byte that was sent. */
const mostStored = 20;
const mostOfDelivery = 600;
/** Growth that stays is visible only above a few pages of the file. */
const leastSent = 20_000;

const open: { remove(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.remove();
});

/** A service over SQLite, the bytes that it has received, and those that it stores. */
async function createService() {
  const file = createTestFile();
  open.push(file);
  const db = file.open();
  migrateSqlite(db)._unsafeUnwrap();
  return {
    ...(await createSender(createSqliteStore(db))),
    /** All bytes of the file, without free pages. */
    stored() {
      db.exec('VACUUM');
      const [pages] = db.prepare('PRAGMA page_count').raw().get() as [number];
      const [size] = db.prepare('PRAGMA page_size').raw().get() as [number];
      return pages * size;
    },
  };
}

const names = Object.keys(moves);

/** Deals with long terms, and what is sent for them over and over. */
const longTerms = [
  ['createLong accept', 'bonus propose withdrawProposal'],
  ['create split freelancerAccept', 'offerPropose acceptProposal'],
  ['create splitWords freelancerAccept', 'offerPropose'],
  ['create freelancerAccept', 'bonus'],
  ['', 'propose message'],
] as const;
/** What is sent before a sequence of the search. */
const beginnings = ['', ...longTerms.map(([first]) => first)];
const listOf = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

/** The stored bytes for each byte of these requests, sent over and over after others. */
async function ratioOf(
  sequence: readonly string[],
  first: readonly string[] = [],
): Promise<number> {
  const service = await createService();
  const about = await begin(service);
  const [before, sentBefore] = [service.stored(), service.sent()];
  for (const name of first) await moves[name]?.(about);
  const begun = service.sent();
  while (service.sent() - begun < leastSent) {
    for (const name of sequence) await moves[name]?.(about);
  }
  return (service.stored() - before) / (service.sent() - sentBefore);
}

describe('what is kept of what is sent', () => {
  it.each(shortMoves)('%s, over and over', async (name) => {
    expect(await ratioOf([name])).toBeLessThanOrEqual(mostStored);
    expect(await ratioOf(['create', name])).toBeLessThanOrEqual(mostStored);
  });

  it.each(longTerms)('%s, then %s', async (first, then) => {
    expect(await ratioOf(listOf(then), listOf(first))).toBeLessThanOrEqual(mostStored);
  });

  it('is bounded in sequences of all of it, of which the worst are searched further', async () => {
    const found: { first: string; sequence: readonly string[]; ratio: number }[] = [];
    const rate = async (sequence: readonly string[], first: string) => {
      found.push({ first, sequence, ratio: await ratioOf(sequence, listOf(first)) });
      found.sort((one, other) => other.ratio - one.ratio);
    };
    const rounds = countOf('DEALWRIGHT_SEQUENCES', 4, 200);
    const some = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 });
    const pairs = fc.tuple(some, fc.constantFrom(...beginnings));
    for (const each of fc.sample(pairs, { seed, numRuns: rounds })) await rate(...each);
    const changes = fc.tuple(fc.nat(4), fc.nat(8), fc.nat(2), fc.constantFrom(...names));
    for (const [which, at, removed, added] of fc.sample(changes, { seed, numRuns: rounds })) {
      const { first = '', sequence = [] } = found[which] ?? {};
      const next = [...sequence.slice(0, at), added, ...sequence.slice(at + removed)];
      await rate(next.slice(0, 12), first);
    }
    const [worst] = found;
    console.info(
      `${worst?.ratio.toFixed(1)} by ${worst?.sequence} after ${worst?.first}, seed ${seed}`,
    );
    expect(worst?.ratio).toBeLessThanOrEqual(mostStored);
  });

  it('is little of a delivery', async () => {
    const count = 500;
    const service = await createService();
    const { marketplace } = service;
    const api = marketplace.partner(tenant);
    for (let index = 0; index < count; index += 1) {
      (await api.createDealV2({ ...dealV2, partner_id: `${index}` }))._unsafeUnwrap();
    }
    const { id } = (await api.createWebhook({ url: 'https://93.184.215.14/' }))._unsafeUnwrap();
    for (let index = 0; index < count; index += 1) (await api.invite(`${index}`))._unsafeUnwrap();
    const before = service.stored();
    const relay = createRelay(marketplace).relayWebhooks();
    const isDone = async () => {
      let all = 0;
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const listed = await api.listDeliveries(id, { page_size: 100, ...(cursor && { cursor }) });
        const { results, next } = listed._unsafeUnwrap();
        all += results.length;
        cursor = next;
      }
      return all === count;
    };
    await expect.poll(isDone, { timeout: 60_000, interval: 500 }).toBe(true);
    await relay.stop();
    expect((service.stored() - before) / count).toBeLessThanOrEqual(mostOfDelivery);
  });
});
