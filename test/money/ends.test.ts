import type { PartnerApi } from 'dealwright';
import { unavailable } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { expect, it } from 'vitest';
import { okOf } from '../usecases/terms-world.js';
import { type Begin, day, first, inEachStore } from './world.js';

type Deal = Awaited<ReturnType<Begin>>;

const idle = () => ok([]);
const because = { reason: 'because' };
const invoice = { mode: 'invoice' } as const;

/** What a call says: `ok`, or why it was refused. */
async function said<T, E extends { code: string; reason?: string; proposal_status?: string }>(
  answer: PromiseLike<Result<T, E>>,
): Promise<string> {
  const found = await answer;
  if (found.isOk()) return 'ok';
  const { code, reason, proposal_status } = found.error;
  return [code, reason, proposal_status].filter(Boolean).join(' ');
}

async function eventsOf({ api, partner_id }: Deal) {
  const page: Parameters<PartnerApi['listDealEvents']>[1] = { page_size: 100 };
  return (await okOf(api.listDealEvents(partner_id, page))).results;
}

/** The events after so many, each with its actor. */
const told = async (deal: Deal, after: number) =>
  (await eventsOf(deal)).slice(after).map(({ type, actor }) => `${type} (${actor})`);

/** All that can be seen of a deal, but for the ids that differ from deal to deal. */
async function seen(deal: Deal): Promise<string> {
  const events = (await eventsOf(deal)).map(({ type, at, actor, data }) => [type, at, actor, data]);
  return JSON.stringify([await deal.details(), events], null, 1)
    .replaceAll(/"[0-9A-Z]{26}"/g, '"an id"')
    .replaceAll(/"[0-9a-f]{64}"/g, '"a hash"')
    .replaceAll(/("id": |"stage_id": |^\s+)\d+(,?)$/gm, '$1a stage$2');
}

const timers = ({ operator }: Deal) => okOf(operator.runTimers());

/** A counter-offer of the freelancer. */
const counter = ({ freelancer }: Deal, amount = '120.00') =>
  okOf(freelancer.propose({ kind: 'amendment', changes: { amount } }));

async function delivered(deal: Deal) {
  await okOf(deal.freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(97) }));
  await okOf(deal.freelancer.deliver());
}

const inDays = (deal: Deal, days: number) => new Date(deal.clock.now() + days * day).toISOString();

const expiresAt = async (deal: Deal) => (await deal.details()).expires_at;

inEachStore('an offer that is negotiated (decision 10.14)', (begin) => {
  it('is held while a proposal is open, and three days longer', async () => {
    const deal = await begin(idle, invoice);
    await deal.pass(29.5 * day);
    const open = await counter(deal);
    expect(await expiresAt(deal)).toBe(inDays(deal, 17));
    await deal.pass(0.6 * day);
    expect((await deal.details()).status).toBe('created');
    const { id, terms_sha256 } = open;
    await okOf(deal.api.acceptProposal(deal.partner_id, id, { terms_sha256 }));
    expect(await deal.details()).toMatchObject({ status: 'accepted', expires_at: null });
  });

  it.each([
    ['rejected', 0.6],
    ['withdrawn', 0.6],
    ['expired', 14],
  ] as const)('has three days left after a proposal was %s', async (how, days) => {
    const deal = await begin(idle, invoice);
    await deal.pass(29.5 * day);
    const { id } = await counter(deal);
    await deal.pass(days * day);
    if (how === 'rejected') await okOf(deal.api.rejectProposal(deal.partner_id, id));
    if (how === 'withdrawn') await okOf(deal.freelancer.withdrawProposal(id));
    expect(await expiresAt(deal)).toBe(inDays(deal, 3));
    await deal.pass(3 * day - 1);
    expect((await deal.details()).status).toBe('created');
    await deal.pass(1);
    expect((await deal.details()).status).toBe('expired');
  });

  it('has all of its days, if they are more than three', async () => {
    const deal = await begin(idle, invoice);
    const end = await expiresAt(deal);
    const { id } = await counter(deal);
    expect(await expiresAt(deal)).toBe(end);
    await okOf(deal.api.rejectProposal(deal.partner_id, id));
    expect(await expiresAt(deal)).toBe(end);
  });

  it('begins anew once its partner amends it, and so does its notice', async () => {
    const deal = await begin(idle, invoice);
    await deal.pass(29.9 * day);
    const changes = { amount: '500.00' };
    await okOf(deal.api.propose(deal.partner_id, { kind: 'amendment', changes }));
    expect(await expiresAt(deal)).toBe(inDays(deal, 30));
    const count = (await eventsOf(deal)).length;
    await deal.pass(27 * day - 1);
    expect(await told(deal, count)).toEqual([]);
    await deal.pass(1);
    expect(await told(deal, count)).toEqual(['deal.expires_soon (clock)']);
    const { terms_sha256 } = await deal.details();
    await okOf(deal.freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
  });

  it('is told to end soon by the end that it has then', async () => {
    const deal = await begin(idle, invoice);
    await deal.pass(26 * day);
    await counter(deal);
    const count = (await eventsOf(deal)).length;
    await deal.pass(14 * day - 1);
    expect(await told(deal, count)).toEqual([]);
    await deal.pass(1);
    expect(await told(deal, count)).toEqual([
      ...['deal.expires_soon (clock)', 'proposal.expired (clock)'],
    ]);
    await deal.pass(3 * day);
    expect((await told(deal, count)).slice(2)).toEqual(['deal.expired (clock)']);
  });
});

const amended = (changes: object) => ({ kind: 'amendment', changes }) as const;
const settled = { kind: 'settlement', changes: { agreed_amount: '40.00' } } as const;

type Call = (deal: Deal) => ReturnType<typeof said>;

const accept: Call = ({ freelancer }) => said(freelancer.accept());
const requestPayment: Call = ({ api, partner_id }) => said(api.requestPayment(partner_id));
const amend: Call = ({ api, partner_id }) =>
  said(api.propose(partner_id, amended({ amount: '90.00' })));
const dispute: Call = ({ api, partner_id }) => said(api.dispute(partner_id, because));
const staffCancels: Call = ({ staff, partner_id }) => said(staff.cancel(partner_id, because));
const bonus: Call = ({ api, partner_id }) => said(api.addBonus(partner_id, { amount: '5.00' }));
const paid: Call = async ({ staff, partner_id, details }) => {
  const [asked] = (await details()).billing.employer_payments;
  const about = asked === undefined ? { amount: '100.00' } : { payment_id: asked.id };
  return said(
    staff.recordEmployerPayment(partner_id, { ...about, status: 'paid', reference: 'late' }),
  );
};

const offered = async () => undefined;
const submitted = (deal: Deal) => delivered(deal);
const accepted = async ({ freelancer }: Deal) => void (await okOf(freelancer.accept()));
const proposed = async (deal: Deal) => {
  await accepted(deal);
  await okOf(deal.api.propose(deal.partner_id, amended({ amount: '90.00' })));
};
const negotiated = async (deal: Deal) => void (await counter(deal));
/** Whoever decides the proposal that was made. */
const decided =
  (what: 'accept' | 'reject' | 'withdraw'): Call =>
  async ({ api, freelancer, partner_id }) => {
    const [made] = (await okOf(freelancer.listProposals())).results;
    const { id = '', terms_sha256 = '' } = made ?? {};
    if (what === 'withdraw') return said(api.withdrawProposal(partner_id, id));
    return what === 'accept'
      ? said(freelancer.acceptProposal(id, { terms_sha256 }))
      : said(freelancer.rejectProposal(id));
  };

/** How a deal came to an end that no timer has visited, what then comes, and what is said of it. */
const late: readonly [
  name: string,
  reach: (deal: Deal) => Promise<void>,
  days: number,
  call: Call,
  says: string,
  mode?: 'prepaid',
][] = [
  ['an offer is accepted', offered, 31, accept, 'illegal_transition'],
  ['an offer is amended', offered, 31, amend, 'illegal_transition'],
  ['an offer is cancelled by staff', offered, 31, staffCancels, 'illegal_transition'],
  ['an offer is paid', offered, 31, paid, 'ok'],
  [
    'changes are requested after the review',
    submitted,
    8,
    ({ api, partner_id }) => said(api.requestChanges(partner_id, because)),
    'illegal_transition',
  ],
  ['a dispute begins after the review', submitted, 8, dispute, 'ok'],
  [
    'work is approved after the review',
    submitted,
    8,
    (deal) => said(deal.api.approve(deal.partner_id)),
    'ok',
  ],
  ['a bonus comes after the review', submitted, 8, bonus, 'ok'],
  ['a review ended so long ago that its payment is due', submitted, 40, requestPayment, 'ok'],
  ['a proposal is accepted', proposed, 15, decided('accept'), 'illegal_transition expired'],
  ['a proposal is rejected', proposed, 15, decided('reject'), 'illegal_transition expired'],
  ['a proposal is withdrawn', proposed, 15, decided('withdraw'), 'illegal_transition expired'],
  ['a proposal is followed by another one', proposed, 15, amend, 'ok'],
  ['a request is paid', accepted, 15, paid, 'ok', 'prepaid'],
  ['it is paid again', accepted, 15, requestPayment, 'ok', 'prepaid'],
  ['a request is followed by a proposal', accepted, 15, amend, 'ok', 'prepaid'],
  [
    'an offer and its counter-offer are over',
    negotiated,
    60,
    decided('withdraw'),
    'illegal_transition expired',
  ],
  ['a counter-offer is over, and not its offer', negotiated, 15, accept, 'ok'],
  [
    'a proposal, a review and the due date of another stage are over',
    async (deal) => {
      await accepted(deal);
      const stages = [
        { id: first((await deal.details()).stages).id },
        { name: 'b', budget: '5.00' },
      ];
      const { id, terms_sha256 } = await okOf(
        deal.api.propose(deal.partner_id, amended({ stages })),
      );
      await okOf(deal.freelancer.acceptProposal(id, { terms_sha256 }));
      const stage_id = first((await deal.details()).stages).id;
      await okOf(deal.freelancer.uploadFile({ name: 'a', content: Uint8Array.of(97), stage_id }));
      await okOf(deal.freelancer.deliver({ stage_id }));
      await okOf(deal.api.propose(deal.partner_id, settled));
    },
    50,
    ({ api, partner_id }) => said(api.propose(partner_id, amended({ amount: '120.00' }))),
    'ok',
  ],
];

inEachStore('ends that no timer has visited (decision 10.15)', (begin) => {
  it.each(late)('%s: as if one had', async (_, reach, days, call, says, mode) => {
    const options = { mode: mode ?? 'invoice' } as const;
    const deal = await begin(idle, options);
    await reach(deal);
    deal.clock.advance(days * day);
    const before = await seen(deal);
    const count = (await eventsOf(deal)).length;
    expect(await call(deal)).toBe(says);
    if (says !== 'ok') {
      // nothing is written, and reads show what is stored
      expect(await seen(deal)).toBe(before);
      await timers(deal);
    } else {
      const causes = (await eventsOf(deal)).slice(count).map(({ id, cause }) => ({ id, cause }));
      // one write: each of its events is caused by the one before it
      expect(causes.slice(1).map(({ cause }) => cause)).toEqual(
        causes.slice(0, -1).map(({ id }) => id),
      );
      expect(await told(deal, count)).toContainEqual(expect.stringMatching(/\(clock\)$/));
    }
    const found = await seen(deal);
    const other = await begin(idle, options);
    await reach(other);
    other.clock.advance(days * day);
    await timers(other);
    expect(await call(other)).toBe(says);
    expect(found).toBe(await seen(other));
  });

  it('an answer of a gateway that comes late finds the request over', async () => {
    const state = { isDown: true };
    const deal: Deal = await begin(
      ({ amount, id }) => {
        if (state.isDown) return unavailable({ outcome: 'none' });
        deal.clock.advance(2_000);
        return ok([{ status: 'paid', amount, reference: id }]);
      },
      { mode: 'prepaid' },
    );
    await accepted(deal);
    await okOf(deal.operator.runEffects());
    deal.clock.advance(14 * day - 1_000);
    state.isDown = false;
    const count = (await eventsOf(deal)).length;
    await okOf(deal.operator.runEffects());
    expect(await told(deal, count)).toEqual([
      ...['employer_payment.expired (clock)', 'employer_payment.paid (payments)'],
    ]);
    expect((await deal.money()).held).toBe('100.00');
  });

  it('a request that is over is not asked for', async () => {
    const deal = await begin(idle, { mode: 'prepaid' });
    await accepted(deal);
    deal.clock.advance(15 * day);
    await okOf(deal.operator.runEffects());
    expect(deal.asked).toEqual([]);
    expect(first((await deal.details()).billing.employer_payments).status).toBe('expired');
  });

  it('a repeat of a key gives the first answer, and writes nothing', async () => {
    const deal = await begin(idle, invoice);
    await delivered(deal);
    deal.clock.advance(8 * day);
    const given = [deal.partner_id, { reason: 'late' }, { idempotencyKey: 'once' }] as const;
    const one = await okOf(deal.api.dispute(...given));
    expect(one.status).toBe('disputed');
    const count = (await eventsOf(deal)).length;
    await okOf(deal.staff.resolve(deal.partner_id, { agreed_amount: '50.00' }));
    deal.clock.advance(15 * day);
    const again = await okOf(deal.api.dispute(...given));
    expect({ ...again, proposal: null }).toEqual({ ...one, proposal: null });
    expect(await told(deal, count)).toEqual([
      'deal.dispute_resolved (operator)',
      'employer_payment.expired (operator)',
      'employer_payment.requested (operator)',
    ]);
  });

  it('due_at is the moment of which due_on is the day', async () => {
    const deal = await begin(idle, invoice);
    await accepted(deal);
    const due = inDays(deal, 30);
    for (const { stages } of [await deal.details(), await okOf(deal.freelancer.view())]) {
      expect(stages.map(({ due_at, due_on }) => [due_at, due_on])).toEqual([
        [due, due.slice(0, 10)],
      ]);
    }
  });
});

inEachStore('a proposal whose subject moves (decision 10.16)', (begin) => {
  /** A deal of two stages that was accepted, and their ids. */
  async function two() {
    const deal = await begin(idle, invoice);
    const stages = [
      { name: 'a', budget: '60.00' },
      { name: 'b', budget: '40.00' },
    ];
    await okOf(deal.api.propose(deal.partner_id, amended({ stages })));
    const { terms_sha256 } = await deal.details();
    await okOf(deal.freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
    const ids = (await deal.details()).stages.slice(-2).map(({ id }) => id);
    const [a = 0, b = 0] = ids;
    const deliver = async (stage_id: number) => {
      await okOf(deal.freelancer.uploadFile({ name: 'a', content: Uint8Array.of(97), stage_id }));
      await okOf(deal.freelancer.deliver({ stage_id }));
    };
    const moves = {
      deliver: () => deliver(a),
      approve: () => okOf(deal.api.approve(deal.partner_id, { stage_id: a })),
      'request-changes': () =>
        okOf(deal.api.requestChanges(deal.partner_id, { ...because, stage_id: a })),
      'the review ends': () => deal.pass(7 * day),
    } as const;
    return { deal, a, b, deliver, moves };
  }

  const proposals = {
    'a settlement': () => [settled, 'superseded'],
    'another budget': (a, b) => [
      amended({ stages: [{ id: a, budget: '50.00' }, { id: b }] }),
      'superseded',
    ],
    'another name': (a, b) => [
      amended({ stages: [{ id: a, name: 'c' }, { id: b }] }),
      'superseded',
    ],
    'more days': (a, b) => [
      amended({ stages: [{ id: a, work_days: 9 }, { id: b }] }),
      'superseded',
    ],
    'its end': (_, b) => [amended({ stages: [{ id: b }] }), 'superseded'],
    'another stage': (a, b) => [
      amended({ stages: [{ id: a }, { id: b, budget: '1.00' }] }),
      'open',
    ],
    'one more stage': (a, b) => [
      amended({ stages: [{ id: a }, { id: b }, { name: 'c', budget: '1.00' }] }),
      'open',
    ],
    'another title': () => [amended({ title: 'Another' }), 'open'],
  } satisfies Record<string, (a: number, b: number) => readonly [object, string]>;

  for (const move of ['deliver', 'approve', 'request-changes', 'the review ends'] as const) {
    it.each(Object.entries(proposals))(
      `${move} of a stage, and a proposal of %s`,
      async (_, of) => {
        const { deal, a, b, deliver, moves } = await two();
        if (move !== 'deliver') await deliver(a);
        const [input, status] = of(a, b);
        const { id, terms_sha256 } = await okOf(
          deal.api.propose(deal.partner_id, input as Parameters<PartnerApi['propose']>[1]),
        );
        const count = (await eventsOf(deal)).length;
        await moves[move]();
        const found = await okOf(deal.api.retrieveProposal(deal.partner_id, id));
        expect(found.status).toBe(status);
        const types = (await told(deal, count)).filter((each) => /^proposal|^deal/.test(each));
        const isLast = types.at(-1)?.startsWith('proposal.superseded') === true;
        expect(isLast).toBe(status === 'superseded');
        if (status === 'superseded') {
          expect(await said(deal.freelancer.acceptProposal(id, { terms_sha256 }))).toBe(
            'illegal_transition superseded',
          );
        }
      },
    );
  }

  it('a freelancer who delivers an offer that it wants changed delivers it as it stands', async () => {
    const deal = await begin(idle, invoice);
    const { id } = await counter(deal);
    await delivered(deal);
    expect((await okOf(deal.api.retrieveProposal(deal.partner_id, id))).status).toBe('superseded');
    expect((await deal.details()).status).toBe('delivered');
  });
});
