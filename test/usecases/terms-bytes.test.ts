import { createHash } from 'node:crypto';
import { createMarketplace, type Proposal, type TermsVersion } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { ArchiveRecord, Store } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { withoutDescription } from '../../src/domain/terms/kept-terms.js';
import { dealBody } from '../domain/field-tables.js';
import { canonical } from '../domain/terms/canonical.js';
import { acme } from '../faces/world.js';
import { amending, okOf, refusalOf, settling, withOffer } from './terms-world.js';

type Offered = Awaited<ReturnType<typeof withOffer>>;

/** The characters of all records of a store. */
async function sizeOf({ ports }: Offered): Promise<number> {
  let size = 0;
  for await (const record of ports.store.archive.dump()) size += JSON.stringify(record).length;
  return size;
}

/** The records with whole terms, as earlier versions of the library kept them. */
async function* asBefore(
  records: AsyncIterable<ArchiveRecord>,
  versions: readonly TermsVersion[],
  proposals: readonly Proposal[],
): AsyncGenerator<ArchiveRecord> {
  const whole = new Map<unknown, string>();
  for (const { terms_version, terms } of versions) whole.set(terms_version, canonical(terms));
  for (const { id, terms, changes } of proposals) {
    // it was closed by a process of then, that of a later version had opened it
    const isShared = 'title' in changes;
    whole.set(id, isShared ? withoutDescription(terms) : canonical(terms));
  }
  for await (const record of records) {
    const { kind, row } = record;
    const terms = whole.get(kind === 'terms' ? row.terms_version : Reflect.get(row, 'id'));
    const isKept = kind === 'terms' || kind === 'proposal';
    yield isKept && terms !== undefined
      ? ({ ...record, row: { ...row, terms } } as ArchiveRecord)
      : record;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a long description', () => {
  const description = 'Words. '.repeat(20_000);
  const partner_id = 'long';

  it('is kept once more for all proposals, versions and keys of its deal', async () => {
    const deal = await withOffer();
    const { api } = deal;
    // it registers the contractor
    await deal.deal();
    await okOf(api.createDeal({ ...dealBody, partner_id, description }));
    await okOf(api.accept(partner_id));
    const before = await sizeOf(deal);
    const key = (name: string) => ({ idempotencyKey: name });
    const last = { ...amending({ title: 'New' }), message: 'm' };
    for (let at = 0; at < 30; at += 1) {
      const { id } = await okOf(
        api.propose(partner_id, amending({ title: `t${at}` }), key(`${at}`)),
      );
      if (at % 2 === 0) await okOf(api.withdrawProposal(partner_id, id, {}, key(`w${at}`)));
      await okOf(api.addBonus(partner_id, { amount: '1' }, key(`b${at}`)));
    }
    const open = await okOf(api.propose(partner_id, last, key('last')));
    expect(open.terms.description).toBe(description);
    const after = await sizeOf(deal);
    expect(after - before).toBeLessThan(description.length + 200_000);
    // a deal that has only proposals needs no copy of it
    expect(await okOf(api.propose(partner_id, last, key('last')))).toStrictEqual(open);
  });
});

describe('terms that are kept as edits', () => {
  it('are shown as they were proposed and agreed', async () => {
    const deal = await withOffer('500.00');
    const { api, partner_id, freelancer } = deal;
    const proposed: Proposal[] = [];
    const agreed: Proposal['terms'][] = [];
    const long = (letter: string) => letter.repeat(300);
    const propose = async (side: 'partner' | 'freelancer', changes: object) => {
      proposed.push(await deal.propose(side, amending(changes)));
      return proposed.at(-1) as Proposal;
    };
    const agree = async (changes: object) => {
      const proposal = await propose('freelancer', changes);
      await okOf(deal.accept('partner', proposal));
      agreed.push(proposal.terms);
    };
    await propose('freelancer', { description: long('a') });
    await propose('partner', { description: long('b'), title: 'One' });
    agreed.push((proposed.at(-1) as Proposal).terms);
    await deal.acceptOffer();
    for (let at = 0; at < 20; at += 1) {
      const stages = (await deal.stages()).filter(({ status }) => status !== 'cancelled');
      const words = at % 5 === 4 ? { description: long(`${at % 10}`) } : {};
      const rest = stages.map(({ id }) => ({ id })).slice(at % 7 === 6 ? 1 : 0);
      const open = rest.length > 0 ? rest : stages.map(({ id }) => ({ id }));
      await propose('partner', { title: `Never ${at}`, ...words });
      await agree({ stages: [...open, { name: `S${at}`, budget: '5' }], ...words });
      if (at === 10) await agree({ description: 'short' });
      if (at === 12) await agree({ description: long('b') });
    }
    proposed.push(await deal.propose('partner', settling('9')));
    const versions = await okOf(api.listTerms(partner_id, { page_size: 100 }));
    expect(versions.results).toHaveLength(agreed.length + 1);
    expect(versions.results.slice(1).map(({ terms }) => terms)).toStrictEqual(agreed);
    for (const { terms, terms_sha256 } of versions.results) {
      expect(sha256(canonical(terms))).toBe(terms_sha256);
    }
    const shown = await okOf(freelancer.listProposals({ page_size: 100 }));
    const byId = new Map(shown.results.map((each) => [each.id, each]));
    for (const { id, terms, changes, terms_sha256 } of proposed) {
      expect(byId.get(id)).toMatchObject({ terms, changes, terms_sha256 });
      expect(sha256(canonical(byId.get(id)?.terms))).toBe(terms_sha256);
      const one = await okOf(api.retrieveProposal(partner_id, id));
      expect(one.terms).toStrictEqual(terms);
    }
    // from the middle on, and backwards
    const { next } = await okOf(api.listTerms(partner_id, { page_size: 13 }));
    const later = await okOf(api.listTerms(partner_id, { page_size: 5, cursor: next ?? '' }));
    expect(later.results).toStrictEqual(versions.results.slice(13, 18));
    const cursor = later.previous ?? '';
    const back = await okOf(api.listTerms(partner_id, { page_size: 5, cursor }));
    expect(back.results).toStrictEqual(versions.results.slice(8, 13));
  });

  it('may follow whole ones, as earlier versions of the library kept them', async () => {
    const deal = await withOffer();
    const { api, partner_id, ports } = deal;
    const description = 'long '.repeat(50);
    await okOf(api.propose(partner_id, amending({ description })));
    await okOf(deal.freelancer.propose(amending({ title: 'Else' })));
    await okOf(deal.freelancer.propose(amending({ title: 'Other', description: 'Other' })));
    await deal.acceptOffer();
    await okOf(api.addBonus(partner_id, { amount: '1' }));
    const before = (await okOf(api.listTerms(partner_id))).results;
    const closed = (await okOf(api.listProposals(partner_id))).results;
    // the same content in another store, in the form of then
    const store = createMemoryStore();
    await store.archive.restore(asBefore(ports.store.archive.dump(), before, closed));
    const again = createMarketplace({ ...ports, store }).partner(acme);
    expect((await okOf(again.listTerms(partner_id))).results).toStrictEqual(before);
    expect((await okOf(again.listProposals(partner_id))).results).toStrictEqual(closed);
    await okOf(again.addBonus(partner_id, { amount: '2' }));
    await okOf(again.propose(partner_id, settling('1')));
    await okOf(again.addBonus(partner_id, { amount: '3' }));
    const after = (await okOf(again.listTerms(partner_id))).results;
    expect(after.slice(0, before.length)).toStrictEqual(before);
    for (const { terms, terms_sha256 } of after) {
      expect(sha256(canonical(terms))).toBe(terms_sha256);
      expect(terms.description).toBe(
        terms.version === 1 ? before[0]?.terms.description : description,
      );
    }
    const rows = await store.records.list(acme, 'terms', {
      ...{ under: partner_id, direction: 'ascending', limit: 10 },
    });
    const kept = rows._unsafeUnwrap().map(({ terms }) => terms.includes(description));
    expect(kept).toEqual([false, true, true, false, false]);
  });

  it('are unavailable if a version that they are an edit of is gone', async () => {
    const deal = await withOffer();
    const { partner_id, ports } = deal;
    await okOf(deal.api.propose(partner_id, amending({ title: 'One' })));
    await deal.acceptOffer();
    const { id } = await deal.propose('partner', amending({ title: 'Two' }));
    await okOf(deal.api.withdrawProposal(partner_id, id));
    await deal.propose('partner', amending({ title: 'Three' }));
    let isGone = false;
    const { store } = ports;
    const forgetful: Store = {
      ...store,
      records: {
        ...store.records,
        list: async (...asked) =>
          isGone && String(asked[1]) === 'terms' ? ok([]) : store.records.list(...asked),
      },
    };
    const api = createMarketplace({ ...ports, store: forgetful }).partner(acme);
    expect((await okOf(api.retrieveProposal(partner_id, id))).terms.title).toBe('Two');
    isGone = true;
    const bonus = () => api.addBonus(partner_id, { amount: '1' });
    expect(await refusalOf(api.retrieveProposal(partner_id, id))).toBe('unavailable');
    expect(await refusalOf(api.listProposals(partner_id))).toBe('unavailable');
    expect(await refusalOf(bonus())).toBe('unavailable');
    isGone = false;
    await okOf(bonus());
  });
});
