import type { DealDetails, FreelancerView, MarketplaceOptions, OperatorView } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { acme, createWorldOf, inProcess, overHttp } from '../faces/world.js';
import { day, file, type Offered, okOf, withOffer } from './terms-world.js';

interface Views {
  readonly partner: DealDetails;
  readonly freelancer: FreelancerView;
  readonly operator: OperatorView;
}

/** A deal as each side sees it. */
const viewsOf = async (deal: Offered): Promise<Views> => ({
  partner: await deal.details(),
  freelancer: await okOf(deal.freelancer.view()),
  operator: await okOf(deal.operatorDeals.retrieveDeal(deal.partner_id)),
});

/** The same member of each view. */
const each = (
  { partner, freelancer, operator }: Views,
  name: keyof FreelancerView & keyof DealDetails,
) => [partner, freelancer, operator].map((view) => view[name]);

/** The steps of a deal, each from the state before it. */
const steps: readonly (readonly [string, (deal: Offered) => Promise<unknown>])[] = [
  ['created', async () => undefined],
  ['invited', ({ api, partner_id }) => okOf(api.invite(partner_id))],
  ['accepted', ({ freelancer }) => okOf(freelancer.accept())],
  ['delivered', (deal) => deal.deliver()],
  ['sent back', ({ api, partner_id }) => okOf(api.requestChanges(partner_id, { reason: 'No.' }))],
  ['disputed', ({ freelancer }) => okOf(freelancer.dispute({ reason: 'No.' }))],
  [
    'approved',
    ({ operatorDeals, partner_id }) =>
      okOf(operatorDeals.resolve(partner_id, { agreed_amount: '100' })),
  ],
  [
    'cancelled',
    ({ operatorDeals, partner_id }) => okOf(operatorDeals.cancel(partner_id, { reason: 'No.' })),
  ],
];

type Refused = { readonly code: string; readonly legal?: readonly string[] };

describe('legal of a view', () => {
  it('is that of illegal_transition, for each side in each state', async () => {
    const deal = await withOffer();
    const { api, freelancer, operatorDeals, partner_id } = deal;
    const reason = { reason: 'Because.' };
    let compared = 0;
    for (const [state, step] of steps) {
      await step(deal);
      const views = await viewsOf(deal);
      const tried = [
        ['partner', 'approve', () => api.approve(partner_id)],
        ['partner', 'invite', () => api.invite(partner_id)],
        ['freelancer', 'dispute', () => freelancer.dispute(reason)],
        ['freelancer', 'decline', () => freelancer.decline()],
        ['operator', 'resolve', () => operatorDeals.resolve(partner_id, { agreed_amount: '9' })],
      ] as const;
      for (const [side, command, call] of tried) {
        const { legal } = views[side];
        // a legal one would change the deal
        if (legal.includes(command)) continue;
        const answer = await call();
        const error: Refused | undefined = answer.isErr() ? answer.error : undefined;
        if (error?.code !== 'illegal_transition') continue;
        expect(legal, `${side} ${state}`).toEqual(error.legal);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(15);
  });

  it('names what each side can give, as buttons need it', async () => {
    const deal = await withOffer();
    expect(each(await viewsOf(deal), 'legal')).toEqual([
      ['invite', 'cancel'],
      ['accept', 'decline', 'deliver'],
      [
        ...['invite', 'cancel', 'retry-payout', 'retry-refund', 'refund-surplus'],
        ...['record-employer-payment', 'record-contractor-payment'],
      ],
    ]);
    await deal.deliver();
    const { partner, freelancer } = await viewsOf(deal);
    expect(partner.legal).toEqual([
      ...['request-changes', 'approve', 'dispute', 'request-payment', 'add-bonus'],
    ]);
    expect(freelancer.legal).toEqual(['dispute']);
  });

  it('of the answer to a command is that of the deal after it', async () => {
    const deal = await withOffer();
    const { legal } = await okOf(deal.freelancer.accept());
    expect(legal).toEqual((await okOf(deal.freelancer.view())).legal);
    expect(legal).not.toContain('accept');
  });

  it('has the commands of the freelancer in a deal of version 1.0, whose partner gives them', async () => {
    const world = createWorldOf(inProcess)();
    const { id } = await world.deal();
    const { legal } = await okOf(world.api.retrieveDeal(id));
    expect(legal).toEqual(['invite', 'accept', 'decline', 'cancel', 'deliver']);
  });

  it('cannot be changed by whoever reads it', async () => {
    const deal = await withOffer();
    const { legal } = await deal.details();
    expect(Object.isFrozen(legal)).toBe(true);
  });
});

describe('legal_proposals of a view', () => {
  const [amend, settle] = ['propose-amendment', 'propose-settlement'];
  const answers = ['accept-proposal', 'reject-proposal'];

  it('names what can be proposed in each state', async () => {
    const deal = await withOffer();
    const seen: Record<string, unknown> = {};
    for (const [state, step] of steps) {
      await step(deal);
      const [partner, freelancer, operator] = each(await viewsOf(deal), 'legal_proposals');
      expect([freelancer, operator], state).toEqual([partner, []]);
      seen[state] = partner;
    }
    const both = [amend, settle];
    expect(seen).toEqual({
      ...{ created: [amend], invited: [amend], accepted: both, delivered: both },
      ...{ 'sent back': both, disputed: [settle], approved: both, cancelled: [] },
    });
  });

  it('names who accepts, rejects and withdraws the open proposal', async () => {
    const deal = await withOffer();
    const { freelancer, api, partner_id } = deal;
    const amendment = { kind: 'amendment', changes: { title: 'Another' } } as const;
    await okOf(freelancer.propose(amendment));
    expect(each(await viewsOf(deal), 'legal_proposals')).toEqual([
      [amend, ...answers],
      [amend, 'withdraw-proposal'],
      [],
    ]);
    await deal.deliver();
    await okOf(api.propose(partner_id, amendment));
    expect(each(await viewsOf(deal), 'legal_proposals')).toEqual([
      [amend, settle, 'withdraw-proposal'],
      [amend, settle, ...answers],
      [],
    ]);
    // an amendment stays open in a dispute, and nobody can accept it
    await okOf(freelancer.dispute({ reason: 'No.' }));
    expect(each(await viewsOf(deal), 'legal_proposals')).toEqual([
      [settle, 'withdraw-proposal'],
      [settle, 'reject-proposal'],
      [],
    ]);
  });

  it('has what both sides do in a deal of version 1.0, whose partner stands for both', async () => {
    const world = createWorldOf(inProcess)();
    const { id } = await world.deal();
    const { partner_id } = await okOf(world.api.retrieveDeal(id));
    await okOf(world.api.accept(partner_id));
    await okOf(world.api.propose(partner_id, { kind: 'amendment', changes: { title: 'Another' } }));
    const { legal_proposals } = await okOf(world.api.retrieveDeal(id));
    expect(legal_proposals).toEqual([amend, settle, ...answers, 'withdraw-proposal']);
  });
});

describe('the times of a view', () => {
  it('tell until when an offer can be accepted, and nothing once it was', async () => {
    const deal = await withOffer();
    expect(each(await viewsOf(deal), 'expires_at')).toEqual(
      Array(3).fill('2026-01-31T00:00:00.000Z'),
    );
    await deal.acceptOffer();
    expect(each(await viewsOf(deal), 'expires_at')).toEqual([null, null, null]);
  });

  it('tell when a stage is approved by itself, and nothing in a dispute', async () => {
    const deal = await withOffer();
    const ends = async () =>
      Object.values(await viewsOf(deal)).flatMap(({ stages }: Pick<DealDetails, 'stages'>) =>
        stages.map(({ review_ends_at }) => review_ends_at),
      );
    expect(await ends()).toEqual([null, null, null]);
    deal.clock.advance(day);
    await deal.deliver();
    expect(await ends()).toEqual(Array(3).fill('2026-01-09T00:00:00.000Z'));
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    expect(await ends()).toEqual([null, null, null]);
  });

  it('are those of then under the key of a command that is repeated', async () => {
    const deal = await withOffer();
    const key = { idempotencyKey: 'delivered' };
    await okOf(deal.freelancer.uploadFile(file));
    const delivered = await okOf(deal.freelancer.deliver({}, key));
    expect(delivered.stages[0]?.review_ends_at).toBe('2026-01-08T00:00:00.000Z');
    deal.clock.advance(day);
    await okOf(deal.api.requestChanges(deal.partner_id, { reason: 'More.' }));
    expect(await okOf(deal.freelancer.deliver({}, key))).toEqual(delivered);
  });
});

describe('the sums of a view', () => {
  it('tell what the client pays, what the freelancer gets, and the fees', async () => {
    const feePolicy = () => ({ employer_fee: '12.50', contractor_fee: '50.00' });
    const deal = await withOffer('500.00', { feePolicy });
    const { partner, freelancer, operator } = await viewsOf(deal);
    expect(partner.billing).toMatchObject({ amount: '500.00', total: '512.50' });
    expect(partner.billing).not.toHaveProperty('net');
    expect(operator.billing).toMatchObject({ total: '512.50', net: '450.00' });
    expect(freelancer).toMatchObject({
      ...{ gross: '500.00', contractor_fee: '50.00', amount: '450.00' },
    });
    expect(freelancer).not.toHaveProperty('billing');
  });
});

it('an offer tells what the freelancer gets after a settlement', async () => {
  const feePolicy = () => ({ employer_fee: '0.00', contractor_fee: '10.00' });
  const deal = await withOffer('500.00', { feePolicy });
  await deal.deliver();
  const changes = { agreed_amount: '150.50' };
  const proposal = await deal.propose('freelancer', { kind: 'settlement', changes });
  await okOf(deal.accept('partner', proposal));
  const { gross, contractor_fee, amount } = await okOf(deal.freelancer.view());
  expect([gross, contractor_fee, amount]).toEqual(['150.50', '10.00', '140.50']);
  // the terms of the deal keep their amount until they change (decision 9.16)
  expect((await deal.details()).amount).toBe('500.00');
});

describe('the name of the partner', () => {
  const named = async (partnerName: unknown) => {
    const options = { partnerName } as MarketplaceOptions;
    return each(await viewsOf(await withOffer('500.00', options)), 'partner_name');
  };

  it('is the one that the host has, for every side', async () => {
    const asked: unknown[] = [];
    const partnerName = (...given: readonly unknown[]) => {
      asked.push(given);
      return 'Acme Ltd';
    };
    expect(await named(partnerName)).toEqual(['Acme Ltd', 'Acme Ltd', 'Acme Ltd']);
    expect(asked.at(0)).toEqual([acme.partner, acme.environment]);
  });

  it.each<[string, unknown]>([
    ['has none', () => undefined],
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    ['gives no text', () => 7],
    ['gives a promise', () => Promise.resolve('Acme Ltd')],
    ['gives empty text', () => ''],
    ['gives text that no answer can hold', () => '\ud800'],
  ])('is null if the function %s, and the deal goes on', async (_, partnerName) => {
    expect(await named(partnerName)).toEqual([null, null, null]);
  });

  it('is null without the option', async () => {
    expect(each(await viewsOf(await withOffer()), 'partner_name')).toEqual([null, null, null]);
  });
});

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
])('%s', (_, faces) => {
  it('the offer tells its language and the limit of files', async () => {
    const world = createWorldOf(faces)({ fileLimit: 1_000, partnerName: () => 'Acme Ltd' });
    const { freelancer } = await world.offer();
    expect(await okOf(freelancer.view())).toMatchObject({
      ...{ freelancer_language: 'pl', max_file_size: 1_000, partner_name: 'Acme Ltd' },
      ...{ legal: ['accept', 'decline', 'deliver'], gross: '500.00' },
      expires_at: '2026-01-31T00:00:00.000Z',
    });
  });
});
