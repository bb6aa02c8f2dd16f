import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { acme, createWorld } from '../faces/world.js';
import { amending, dataOf, day, type Offered, okOf, withOffer } from './terms-world.js';

const tick = (deal: Offered) => okOf(deal.operator.runTimers());

/** Lets time pass, and the clock act. */
async function pass(deal: Offered, time: number): Promise<void> {
  deal.clock.advance(time);
  await tick(deal);
}

/** The events of the clock, in their order. */
const clocked = async (deal: Offered) =>
  (await deal.events()).filter(({ actor }) => actor === 'clock').map(({ type }) => type);

const reviewsOf = async (deal: Offered) =>
  (await deal.events())
    .filter(({ type }) => type === 'deal.review_ends_soon')
    .map((event) => dataOf(event)['stage_ids']);

describe('an offer that expires soon', () => {
  it('is told 3 days before, once', async () => {
    const deal = await withOffer();
    await pass(deal, 27 * day - 1);
    expect(await clocked(deal)).toEqual([]);
    await pass(deal, 1);
    expect(await clocked(deal)).toEqual(['deal.expires_soon']);
    const event = (await deal.events()).at(-1);
    expect(dataOf(event)).toEqual({
      ...{ partner_id: deal.partner_id, status: 'created', freelancer_status: 'new' },
    });
    await okOf(deal.api.invite(deal.partner_id));
    await pass(deal, 3 * day - 1);
    expect(await clocked(deal)).toEqual(['deal.expires_soon']);
    await pass(deal, 1);
    expect(await clocked(deal)).toEqual(['deal.expires_soon', 'deal.expired']);
  });

  it('is told again of an offer that was amended', async () => {
    const deal = await withOffer();
    await pass(deal, 28 * day);
    await okOf(deal.api.propose(deal.partner_id, amending({ title: 'Better' })));
    await pass(deal, 27 * day - 1);
    expect(await clocked(deal)).toEqual(['deal.expires_soon']);
    await pass(deal, 1);
    expect(await clocked(deal)).toEqual(['deal.expires_soon', 'deal.expires_soon']);
  });

  it('is told before it expires, if the clock has stood still', async () => {
    const deal = await withOffer();
    await pass(deal, 100 * day);
    expect(await clocked(deal)).toEqual(['deal.expires_soon', 'deal.expired']);
  });

  it('is told in order as a sandbox moves past both', async () => {
    const deal = await withOffer();
    const sandbox = deal.marketplace.sandbox(acme);
    await okOf(sandbox.advanceClock({ advance_seconds: 100 * 86_400 }));
    expect(await clocked(deal)).toEqual(['deal.expires_soon', 'deal.expired']);
  });

  it('is not told once it was accepted', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await pass(deal, 29 * day);
    expect(await clocked(deal)).toEqual([]);
  });

  it('of version 1.0 is told if it expires', async () => {
    for (const expireV1Deals of [false, true]) {
      const world = createWorld({ expireV1Deals });
      await world.deal();
      world.clock.advance(40 * day);
      await okOf(world.operator.runTimers());
      const types = (await world.types()).filter((type) => type.startsWith('deal.exp'));
      expect(types).toEqual(expireV1Deals ? ['deal.expires_soon', 'deal.expired'] : []);
    }
  });

  it.each<[number, number[]]>([
    [0, []],
    [1, [29]],
    [30, [0]],
    [400, [0]],
  ])('with a notice of %s days is told after %j', async (expiryNoticeDays, expected) => {
    const deal = await withOffer('500.00', { expiryNoticeDays });
    const told: number[] = [];
    for (let days = 0; days < 30; days += 1) {
      await pass(deal, days === 0 ? 0 : day);
      const count = (await clocked(deal)).length;
      if (count > told.length) told.push(days);
    }
    expect(told).toEqual(expected);
    // the offer goes on to its end
    await pass(deal, day);
    expect((await deal.details()).status).toBe('expired');
  });

  it('keeps the days with which it was created', async () => {
    const deal = await withOffer('500.00', { expiryNoticeDays: 5 });
    const other = createMarketplace(deal.ports, { expiryNoticeDays: 1 }).operator('sandbox');
    deal.clock.advance(25 * day);
    await okOf(other.runTimers());
    expect(await clocked(deal)).toEqual(['deal.expires_soon']);
  });
});

/** An accepted deal of stages that are delivered one after the other, after so many days each. */
async function delivered(days: readonly number[], options: MarketplaceOptions = {}) {
  const deal = await withOffer('500.00', options);
  await deal.split(...days.map((_, at) => ({ name: `Stage ${at}`, budget: '100' })));
  await deal.acceptOffer();
  const ids = (await deal.stages()).slice(1).map(({ id }) => id);
  for (const [at, wait] of days.entries()) {
    deal.clock.advance(wait * day);
    await deal.deliver(ids[at]);
  }
  return { ...deal, ids };
}

describe('a review that ends soon', () => {
  it('is told 2 days before its end, once for each delivery', async () => {
    const deal = await delivered([0]);
    const [one = 0] = deal.ids;
    await pass(deal, 5 * day - 1);
    expect(await clocked(deal)).toEqual([]);
    await pass(deal, 1);
    await tick(deal);
    expect(await reviewsOf(deal)).toEqual([[one]]);
    await okOf(deal.api.requestChanges(deal.partner_id, { reason: 'More.' }));
    await deal.deliver(one);
    await pass(deal, 5 * day - 1);
    expect(await reviewsOf(deal)).toEqual([[one]]);
    await pass(deal, 1);
    expect(await reviewsOf(deal)).toEqual([[one], [one]]);
    await pass(deal, 2 * day);
    expect((await clocked(deal)).filter((type) => type.startsWith('deal.'))).toEqual([
      'deal.review_ends_soon',
      'deal.review_ends_soon',
      'deal.approved',
    ]);
  });

  it('is told of all stages at once that end soon, and of others later', async () => {
    const deal = await delivered([0, 0, 1]);
    const [one = 0, two = 0, three = 0] = deal.ids;
    await pass(deal, 4 * day);
    expect(await reviewsOf(deal)).toEqual([[one, two]]);
    await pass(deal, day);
    expect(await reviewsOf(deal)).toEqual([[one, two], [three]]);
  });

  it('is told of every stage before it is approved, if the clock has stood still', async () => {
    const deal = await delivered([0, 1]);
    await pass(deal, 5 * day);
    await pass(deal, 20 * day);
    expect(await reviewsOf(deal)).toEqual([deal.ids]);
    const other = await delivered([0, 2]);
    await pass(other, 3 * day);
    expect(await reviewsOf(other)).toEqual([[other.ids[0]]]);
    await pass(other, 20 * day);
    expect(await reviewsOf(other)).toEqual([[other.ids[0]], [other.ids[1]]]);
    const types = await clocked(other);
    expect(types.indexOf('deal.approved')).toBeGreaterThan(
      types.lastIndexOf('deal.review_ends_soon'),
    );
  });

  it('is not told in a dispute, nor once it was answered', async () => {
    const deal = await delivered([0]);
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    await pass(deal, 6 * day);
    expect(await reviewsOf(deal)).toEqual([]);
    const other = await delivered([0]);
    await okOf(other.api.approve(other.partner_id));
    await pass(other, 6 * day);
    expect(await reviewsOf(other)).toEqual([]);
  });

  it('is not told of a stage whose terms have changed', async () => {
    const deal = await delivered([0]);
    const stages = [{ id: deal.ids[0], budget: '150' }];
    const proposal = await deal.propose('partner', amending({ stages }));
    await okOf(deal.accept('freelancer', proposal));
    await pass(deal, 6 * day);
    expect(await reviewsOf(deal)).toEqual([]);
  });

  it.each<[number, number[]]>([
    [0, []],
    [1, [6]],
    [7, [0]],
    [400, [0]],
  ])('with a notice of %s days is told after %j', async (reviewNoticeDays, expected) => {
    const deal = await delivered([0], { reviewNoticeDays });
    const told: number[] = [];
    for (let days = 0; days < 7; days += 1) {
      await pass(deal, days === 0 ? 0 : day);
      if ((await reviewsOf(deal)).length > told.length) told.push(days);
    }
    expect(told).toEqual(expected);
    await pass(deal, day);
    expect((await deal.stages()).at(-1)?.status).toBe('approved');
  });
});

it('a new deal and a command on it cost the same writes as without notices', async () => {
  for (const days of [0, 3]) {
    const world = createWorld({ expiryNoticeDays: days, reviewNoticeDays: days });
    const commits = world.ports.store.commit;
    let count = 0;
    world.ports.store.commit = (...given) => {
      count += 1;
      return commits.apply(world.ports.store, given);
    };
    const { freelancer } = await world.offer();
    await okOf(freelancer.accept());
    expect(count).toBe(2);
  }
});
