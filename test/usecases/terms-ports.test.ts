import { createMarketplace } from 'dealwright';
import type { MarketplacePorts, Store } from 'dealwright/ports';
import { createSignedTokenIssuer } from 'dealwright/tokens';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { acme, file } from '../faces/world.js';
import { failingAt } from './failing-at.js';
import { amending, okOf, refusalOf, settling, withOffer } from './terms-world.js';

const throwing = () => {
  throw new Error('broken');
};

describe('a digest that fails', () => {
  it('makes unavailable what needs a hash of terms, and nothing is stored', async () => {
    const deal = await withOffer();
    const { partner_id, ports, payment_token } = deal;
    const open = await deal.propose('freelancer', amending({ title: 'Else' }));
    const broken = createMarketplace({ ...ports, digest: throwing });
    const api = broken.partner(acme);
    const freelancer = broken.freelancer('sandbox', payment_token);
    const before = JSON.stringify([await deal.details(), await deal.events()]);
    const { id, terms_sha256 } = open;
    for (const answer of [
      api.propose(partner_id, amending({ title: 'x' })),
      freelancer.propose(amending({ title: 'x' })),
      api.acceptProposal(partner_id, id, { terms_sha256 }),
      api.listTerms(partner_id),
      freelancer.listTerms(),
      freelancer.view(),
      freelancer.accept(),
      freelancer.accept({ terms_sha256 }),
    ]) {
      expect((await answer)._unsafeUnwrapErr()).toMatchObject({
        ...{ code: 'unavailable', port: 'digest', outcome: 'none' },
      });
    }
    expect(JSON.stringify([await deal.details(), await deal.events()])).toBe(before);
    // what needs none does not ask for it
    await okOf(api.retrieveProposal(partner_id, id));
    await okOf(api.rejectProposal(partner_id, id));
    await okOf(api.invite(partner_id));
  });
});

/** A store whose writes leave the open proposal open, as those of earlier versions did. */
const leavingProposals = (store: Store): Store => ({
  ...store,
  commit: (tenant, { insert, change, ...write }) =>
    store.commit(tenant, {
      ...write,
      insert: insert.filter(({ kind }) => kind !== 'proposal'),
      change: change.map((each) => {
        if (each.kind !== 'deal') return each;
        const { proposal: _, ...set } = each.set;
        return { ...each, set };
      }),
    }),
});

describe('a fee policy', () => {
  const amounts: string[] = [];
  let isBroken = false;
  const feePolicy = ({ amount }: { readonly amount: string }) => {
    if (isBroken) throw new Error('broken');
    amounts.push(amount);
    return { employer_fee: '3.00', contractor_fee: (Number(amount) / 10).toFixed(2) };
  };

  it('is asked once for each version, with what it is worth', async () => {
    amounts.length = 0;
    const deal = await withOffer('500.00', { feePolicy });
    expect(amounts.splice(0)).toEqual(['500.00']);
    await okOf(deal.api.propose(deal.partner_id, amending({ amount: '600' })));
    expect(amounts.splice(0)).toEqual(['600.00']);
    await deal.acceptOffer();
    const one = await deal.propose('freelancer', amending({ amount: '700' }));
    expect(amounts.splice(0)).toEqual(['700.00']);
    await okOf(deal.accept('partner', one));
    expect(amounts.splice(0)).toEqual([]);
    await okOf(deal.api.addBonus(deal.partner_id, { amount: '50' }));
    expect(amounts.splice(0)).toEqual(['750.00']);
    const two = await deal.propose('freelancer', settling('100'));
    expect(amounts.splice(0)).toEqual(['100.00']);
    await okOf(deal.accept('partner', two));
    expect(amounts).toEqual([]);
    expect((await okOf(deal.freelancer.view())).contractor_fee).toBe('10.00');
  });

  it('that fails makes a proposal unavailable, and an acceptance does not need it', async () => {
    const deal = await withOffer('500.00', { feePolicy });
    await deal.acceptOffer();
    const one = await deal.propose('freelancer', amending({ amount: '700' }));
    isBroken = true;
    const count = (await deal.events()).length;
    for (const answer of [
      deal.send('partner', amending({ amount: '800' })),
      deal.send('freelancer', settling('1')),
      deal.api.addBonus(deal.partner_id, { amount: '1' }),
    ]) {
      expect((await answer)._unsafeUnwrapErr()).toMatchObject({
        ...{ code: 'unavailable', port: 'feePolicy', outcome: 'none', retryable: false },
      });
    }
    expect(await deal.events()).toHaveLength(count);
    await okOf(deal.accept('partner', one));
    isBroken = false;
    expect((await okOf(deal.freelancer.view())).contractor_fee).toBe('70.00');
  });

  it('is asked anew by a settlement of an earlier version, whose deal is worth more since', async () => {
    const deal = await withOffer('500.00', { feePolicy });
    await deal.split({ name: 'One', budget: '100' }, { name: 'Two', budget: '400' });
    await deal.acceptOffer();
    const one = await deal.idOf(1);
    await deal.deliver(one);
    const proposal = await deal.propose('freelancer', settling('50'));
    const earlier = createMarketplace(
      { ...(deal.ports as MarketplacePorts), store: leavingProposals(deal.ports.store) },
      { feePolicy },
    );
    await okOf(earlier.partner(acme).approve(deal.partner_id, { stage_id: one }));
    await deal.pay('103');
    const [payout] = (await deal.details()).billing.contractor_payments;
    const paid = { payment_id: String(payout?.id), status: 'paid', reference: 'out' } as const;
    await okOf(deal.operatorDeals.recordContractorPayment(deal.partner_id, paid));
    amounts.length = 0;
    await okOf(deal.accept('partner', proposal));
    expect(amounts).toEqual(['150.00']);
  });
});

describe('a port that fails at any call', () => {
  it.each(['propose', 'accept', 'add a bonus'])('leaves nothing of a command: %s', async (what) => {
    for (let nth = 1; ; nth += 1) {
      const deal = await withOffer();
      await deal.acceptOffer();
      const { id, terms_sha256 } = await deal.propose(
        'freelancer',
        amending({ stages: [{ name: 'New', budget: '5' }] }),
      );
      const count = (await deal.events()).length;
      const failing = failingAt(deal.ports as MarketplacePorts, nth);
      const api = createMarketplace(failing.ports).partner(acme);
      const key = { idempotencyKey: 'key-1' };
      const give = async (each: typeof api) => {
        if (what === 'propose') return each.propose(deal.partner_id, amending({ title: 'x' }), key);
        if (what === 'accept')
          return each.acceptProposal(deal.partner_id, id, { terms_sha256 }, key);
        return each.addBonus(deal.partner_id, { amount: '5' }, key);
      };
      const answer = await give(api);
      if (!failing.isReached()) {
        expect(nth).toBeGreaterThan(5);
        expect(answer.isOk()).toBe(true);
        return;
      }
      expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
      expect(await deal.events()).toHaveLength(count);
    }
  });
});

describe('a repeat under a key', () => {
  const key = { idempotencyKey: 'key-1' };
  const failure = { code: 'unavailable', outcome: 'none', retryable: true } as const;

  it('gets its first answer, though a port fails that only a new call needs', async () => {
    let isBroken = false;
    const feePolicy = () => {
      if (isBroken) throw new Error('broken');
      return { employer_fee: '1', contractor_fee: '2' };
    };
    const deal = await withOffer('500.00', { feePolicy });
    const { partner_id, payment_token } = deal;
    const { store } = deal.ports;
    const failing: Store = {
      ...store,
      reserve: (...given) => (isBroken ? err(failure) : store.reserve(...given)),
    };
    const marketplace = createMarketplace({ ...deal.ports, store: failing }, { feePolicy });
    const api = marketplace.partner(acme);
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    const stages = [{ name: 'New', budget: '5' }];
    const split = () => api.propose(partner_id, amending({ stages }), key);
    const first = await okOf(split());
    await deal.acceptOffer();
    const { id, terms_sha256 } = await deal.propose('partner', amending({ title: 'x' }));
    const accept = () => freelancer.acceptProposal(id, { terms_sha256 }, key);
    const accepted = await okOf(accept());
    const bonus = () => api.addBonus(partner_id, { amount: '5' }, { idempotencyKey: 'key-2' });
    const added = await okOf(bonus());
    const count = (await deal.events()).length;
    isBroken = true;
    expect(await okOf(split())).toStrictEqual(first);
    expect(await okOf(accept())).toStrictEqual(accepted);
    expect(await okOf(bonus())).toStrictEqual(added);
    expect(await refusalOf(api.addBonus(partner_id, { amount: '6' }, key))).toBe(
      'idempotency_key_reused',
    );
    const another = { idempotencyKey: 'key-3' };
    expect(await refusalOf(api.addBonus(partner_id, { amount: '5' }, another))).toBe('unavailable');
    expect(await deal.events()).toHaveLength(count);
  });
});

describe('the calls of a store', () => {
  it('of a decision are one read and one write, and one more read once there are versions', async () => {
    const calls: string[] = [];
    const deal = await withOffer();
    await deal.acceptOffer();
    const { store } = deal.ports;
    const note =
      <A extends readonly unknown[], R>(name: string, method: (...args: A) => R) =>
      (...args: A): R => {
        calls.push(name);
        return method(...args);
      };
    const watched: Store = {
      ...store,
      commit: note('commit', store.commit),
      deals: {
        ...store.deals,
        byPartnerId: note('read', store.deals.byPartnerId),
        byPaymentToken: note('read', store.deals.byPaymentToken),
      },
      records: {
        ...store.records,
        byKey: (...args) => {
          // the time of a sandbox is a read of its own
          if (String(args[1]) !== 'sandbox_clock') calls.push(`record ${args[1]}`);
          return store.records.byKey(...args);
        },
        list: (...args) => {
          calls.push(`list ${args[1]}`);
          return store.records.list(...args);
        },
      },
      events: { ...store.events, of: note('events', store.events.of) },
    };
    const marketplace = createMarketplace({ ...deal.ports, store: watched });
    const freelancer = marketplace.freelancer('sandbox', deal.payment_token);
    const api = marketplace.partner(acme);
    const stages = [{ name: 'New', budget: '5' }];
    const keyed = { idempotencyKey: 'key-1' };
    const one = await okOf(api.propose(deal.partner_id, amending({ stages }), keyed));
    expect(calls.splice(0)).toEqual(['read', 'commit']);
    const { terms_sha256 } = one;
    await okOf(freelancer.acceptProposal(one.id, { terms_sha256 }, keyed));
    expect(calls.splice(0)).toEqual(['read', 'commit']);
    const two = await okOf(api.propose(deal.partner_id, amending({ title: 'x' })));
    await okOf(freelancer.rejectProposal(two.id));
    const three = await okOf(api.propose(deal.partner_id, settling('1')));
    await okOf(api.withdrawProposal(deal.partner_id, three.id));
    await okOf(api.addBonus(deal.partner_id, { amount: '1' }));
    await okOf(freelancer.view());
    const plain = ['read', 'commit'];
    // what is kept as an edit of an earlier version needs that version
    const after = ['read', 'list terms', 'commit'];
    expect(calls.splice(0)).toEqual([...plain, ...after, ...plain, ...after, ...after, 'read']);
  });
});

describe('ids of stages', () => {
  it('are reserved after those of the deal, and only if they are used', async () => {
    const asked: unknown[] = [];
    const deal = await withOffer();
    const { store } = deal.ports;
    const watched: Store = {
      ...store,
      reserve: (...given) => {
        asked.push(given);
        return store.reserve(...given);
      },
    };
    const marketplace = createMarketplace({ ...deal.ports, store: watched });
    const api = marketplace.partner(acme);
    const freelancer = marketplace.freelancer('sandbox', deal.payment_token);
    const stages = [
      { name: 'One', budget: '5' },
      { name: 'Two', budget: '6' },
    ];
    const last = await deal.idOf(0);
    await okOf(freelancer.propose(amending({ stages })));
    expect(asked).toEqual([]);
    await okOf(api.propose(deal.partner_id, amending({ stages })));
    expect(asked.splice(0)).toEqual([['sandbox', 2, last]]);
    await deal.acceptOffer();
    const { id, terms_sha256 } = await okOf(api.propose(deal.partner_id, amending({ stages })));
    expect(asked).toEqual([]);
    await okOf(freelancer.acceptProposal(id, { terms_sha256 }));
    expect(asked.splice(0)).toEqual([['sandbox', 2, last + 2]]);
    await okOf(api.addBonus(deal.partner_id, { amount: '1' }));
    expect(asked).toEqual([['sandbox', 1, last + 4]]);
  });

  it('of a store that reserves lower ones make the command unavailable', async () => {
    const deal = await withOffer();
    const { store } = deal.ports;
    const broken: Store = { ...store, reserve: () => ok(1) };
    const api = createMarketplace({ ...deal.ports, store: broken }).partner(acme);
    const answer = await api.addBonus(deal.partner_id, { amount: '1' });
    expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port: 'store.reserve' });
  });
});

describe('a payment token', () => {
  it('stays bound to the amount that it was issued for', async () => {
    const base = await withOffer();
    const { clock, ports } = base;
    const key = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const paymentTokens = createSignedTokenIssuer({ key, lifetime: 3600, timer: clock });
    const held: string[] = [];
    const marketplace = createMarketplace({
      ...ports,
      paymentTokens: {
        ...paymentTokens,
        verify(tenant, claims) {
          held.push(claims.amount);
          return paymentTokens.verify(tenant, claims);
        },
      },
    });
    const api = marketplace.partner(acme);
    const partner_id = 'signed';
    const created = await okOf(api.createDealV2({ ...dealV2Body, partner_id, amount: '500' }));
    const freelancer = marketplace.freelancer('sandbox', created.payment_token);
    await okOf(api.propose(partner_id, amending({ amount: '600' })));
    const counter = await okOf(freelancer.propose(amending({ amount: '700' })));
    const { terms_sha256 } = counter;
    await okOf(api.acceptProposal(partner_id, counter.id, { terms_sha256 }));
    await okOf(api.addBonus(partner_id, { amount: '5' }));
    const view = await okOf(freelancer.view());
    expect(view).toMatchObject({ status: 'accepted', amount: '705.00', terms_version: 4 });
    expect(new Set(held)).toEqual(new Set(['500.00']));
    // an amount that comes back is the one of the token again
    const stages = view.stages.map(({ id, status }) =>
      status === 'approved' ? { id } : { id, budget: '495' },
    );
    const last = await okOf(freelancer.propose(amending({ stages })));
    await okOf(api.acceptProposal(partner_id, last.id, { terms_sha256: last.terms_sha256 }));
    expect((await okOf(freelancer.view())).amount).toBe('500.00');
    expect(
      await okOf(freelancer.uploadFile({ ...file, stage_id: Number(stages[0]?.id) })),
    ).toBeDefined();
    clock.advance(3600 * 1000 + 1);
    expect(await refusalOf(freelancer.view())).toBe('unauthorized');
  });
});

describe('a store that is not there', () => {
  it('makes every read of terms unavailable', async () => {
    const deal = await withOffer();
    const failure = { code: 'unavailable', outcome: 'unknown', retryable: true } as const;
    const { store } = deal.ports;
    const broken: Store = {
      ...store,
      records: { ...store.records, list: () => err(failure), byKey: () => err(failure) },
    };
    const { partner } = createMarketplace({ ...deal.ports, store: broken });
    const api = partner(acme);
    for (const answer of [
      api.listTerms(deal.partner_id),
      api.listProposals(deal.partner_id),
      api.retrieveProposal(deal.partner_id, '01KDVE0000000000000000000A'),
    ]) {
      expect((await answer)._unsafeUnwrapErr()).toMatchObject({
        ...{ code: 'unavailable', outcome: 'none' },
      });
    }
  });
});
