import { createHash } from 'node:crypto';
import { applyChanges } from 'dealwright/life';
import { describe, expect, it } from 'vitest';
import { mostProposals } from '../../src/domain/life/proposals.js';
import { createDraft } from '../../src/domain/payments/draft.js';
import { amend } from '../../src/domain/terms/amend.js';
import { hashOf, shownVersion } from '../../src/domain/terms/terms.js';
import { dealBody } from '../domain/field-tables.js';
import { canonical } from '../domain/terms/canonical.js';
import { acme } from '../faces/world.js';
import { dealOf } from '../kit/stored.js';
import { giveCode, momentOf } from '../life/code.js';
import { nothingKept } from '../life/kept-rows.js';
import { dayOne, idMaker, instant, newDeal, type Shape } from '../life/states.js';
import {
  amending,
  dataOf,
  day,
  okOf,
  refusalOf,
  settling,
  shapeOf,
  withOffer,
  withStages,
} from './terms-world.js';

const shape: Shape = {
  ...{ version: '2.0', mode: 'invoice', budgets: [100n], expires: false },
  ...{ employerFee: 0n, contractorFee: 0n },
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('consent', () => {
  it('is to the terms that were proposed, though the deal has other ones by now', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id, terms, terms_sha256 } = await deal.propose(
      'freelancer',
      amending({ description: 'Else' }),
    );
    // no command changes terms below an open proposal: the record itself was changed
    await okOf(
      Promise.resolve(
        deal.ports.store.commit(acme, {
          attempt: '01KDVE0000000000000000000C',
          expect: [{ present: 'deal', key: deal.partner_id }],
          insert: [],
          change: [{ kind: 'deal', key: deal.partner_id, set: { title: 'Moved' } }],
          events: [],
        }),
      ),
    );
    const moved = sha256(canonical({ ...terms, title: 'Moved' }));
    for (const hash of [terms_sha256, moved]) {
      const accepted = deal.accept('partner', { id, terms_sha256: hash });
      expect(await refusalOf(accepted)).toBe('precondition_failed terms_changed');
    }
  });

  it('needs a digest', () => {
    expect(() => hashOf('{}', {})).toThrow('a decision about terms needs a digest');
    expect(hashOf('{}', { digest: sha256 })).toBe(sha256('{}'));
  });
});

describe('the fees of a proposal', () => {
  it('are those that it showed, if its stages are worth the same', async () => {
    let percent = 10;
    const deal = await withOffer('500.00', {
      feePolicy: ({ amount }) => ({
        employer_fee: '0.00',
        contractor_fee: ((Number(amount) * percent) / 100).toFixed(2),
      }),
    });
    await deal.acceptOffer();
    const proposal = await deal.propose('freelancer', amending({ amount: '600' }));
    percent = 20;
    await okOf(deal.accept('partner', proposal));
    expect((await okOf(deal.freelancer.view())).contractor_fee).toBe('60.00');
  });

  it('are never less than payouts are planned with', async () => {
    let percent = 10;
    const deal = await withOffer('500.00', {
      feePolicy: ({ amount }) => ({
        employer_fee: '0.00',
        contractor_fee: ((Number(amount) * percent) / 100).toFixed(2),
      }),
    });
    await deal.split({ name: 'One', budget: '200' }, { name: 'Two', budget: '300' });
    await deal.acceptOffer();
    const [, one = 0] = (await deal.stages()).map(({ id }) => id);
    await deal.deliver(one);
    await okOf(deal.api.approve(deal.partner_id, { stage_id: one }));
    await deal.pay('200');
    const planned = (await deal.details()).billing.contractor_payments;
    expect(planned.map(({ amount }) => amount)).toEqual(['180.00']);
    percent = 0;
    await okOf(
      deal.accept('partner', await deal.propose('freelancer', amending({ title: 'Else' }))),
    );
    const after = await okOf(deal.freelancer.view());
    expect(after.contractor_fee).toBe('20.00');
    expect((await deal.details()).billing.contractor_payments).toEqual(planned);
  });

  it('are nothing for nothing, and no policy is asked', async () => {
    const asked: string[] = [];
    const deal = await withOffer('500.00', {
      feePolicy: ({ amount }) => {
        asked.push(amount);
        return { employer_fee: amount.startsWith('-') ? '0.00' : '1.00', contractor_fee: '0.00' };
      },
    });
    await deal.deal({ budget: '-5' });
    const { partner_id } = dealBody;
    asked.length = 0;
    for (const changes of [{ title: 'Below zero' }, { amount: '0' }]) {
      await okOf(deal.api.propose(partner_id, amending(changes)));
      const { billing } = await okOf(deal.api.retrieveDealDetails(partner_id));
      expect([billing.total === billing.amount, asked]).toEqual([true, []]);
    }
    await okOf(deal.api.propose(partner_id, amending({ amount: '0.01' })));
    expect(asked).toEqual(['0.01']);
  });
});

describe('work_days of an amendment', () => {
  const dueDays = (on: string | null | undefined) =>
    (Date.parse(String(on)) - Date.UTC(2026, 0, 1)) / day;

  it('are those of the deal in version 1.0, for stages without any', async () => {
    const deal = await withOffer();
    await deal.deal();
    const { partner_id } = dealBody;
    await okOf(deal.api.propose(partner_id, amending({ work_days: 11 })));
    const stages = [{ name: 'New', budget: '5' }];
    await okOf(deal.api.propose(partner_id, amending({ stages })));
    const { terms_sha256 } = await okOf(deal.api.retrieveDealDetails(partner_id));
    await okOf(deal.api.accept(partner_id, { terms_sha256: String(terms_sha256) }));
    const details = await okOf(deal.api.retrieveDealDetails(partner_id));
    expect(dueDays(details.stages.at(-1)?.due_on)).toBe(11);
  });

  it('are those of its stage alone in version 2.0', async () => {
    const deal = await withOffer();
    await okOf(deal.send('partner', amending({ work_days: 11 })));
    const id = await deal.idOf(0);
    await okOf(deal.send('partner', amending({ stages: [{ id }, { name: 'New', budget: '5' }] })));
    await deal.acceptOffer();
    expect((await deal.stages()).map(({ due_on }) => dueDays(due_on))).toEqual([11, 30]);
  });
});

describe('a stage with requested changes', () => {
  it('still has them after an amendment', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    await okOf(deal.api.requestChanges(deal.partner_id, { stage_id: one, reason: 'More.' }));
    const stages = [{ id: one, name: 'First' }, { id: two }, { id: three }];
    await okOf(deal.accept('freelancer', await deal.propose('partner', amending({ stages }))));
    expect(await shapeOf(deal)).toContain('First 100.00 changes_requested');
  });
});

describe('stages from before the rules of amounts', () => {
  it('stay as they are in an amendment of something else', () => {
    const made = newDeal({
      ...shape,
      budgets: [100n, 0n],
    });
    const [first, second] = made.stage.map(({ id }) => ({ id }));
    const amended = (stages: readonly object[]) =>
      amend(createDraft(made, { now: instant(0), newId: idMaker() }), { stages } as never);
    expect(amended([{ ...first, name: 'Else' }, second as object])).toBeUndefined();
    const lower = [
      { ...first, name: 'Else' },
      { ...second, budget: -1n },
    ];
    expect(amended(lower)).toBe('amount_out_of_bounds');
  });
});

describe('the events of the end of a deal by consent', () => {
  it('tell the amount, and no stage for its completion', async () => {
    const deal = await withStages();
    const [one] = deal.ids;
    await deal.deliver(one);
    await okOf(deal.api.approve(deal.partner_id, { stage_id: one }));
    await deal.pay('100');
    const [payout] = (await deal.details()).billing.contractor_payments;
    const paid = { payment_id: String(payout?.id), status: 'paid', reference: 'out' } as const;
    await okOf(deal.operatorDeals.recordContractorPayment(deal.partner_id, paid));
    const count = (await deal.events()).length;
    await okOf(deal.accept('partner', await deal.propose('freelancer', settling('0'))));
    const events = (await deal.events()).slice(count);
    const of = (type: string) => dataOf(events.find((each) => each.type === type));
    expect(of('deal.settled')).toMatchObject({ agreed_amount: '0.00' });
    expect(of('deal.completed')).toMatchObject({ stage_ids: [] });
    const amended = await withStages();
    await okOf(
      amended.accept('partner', await amended.propose('freelancer', amending({ title: 'X' }))),
    );
    const last = dataOf((await amended.events()).find(({ type }) => type === 'deal.amended'));
    expect(last).not.toHaveProperty('agreed_amount');
  });
});

describe('the amount that a payment token was issued for', () => {
  it('is kept from the first change of the amount on', async () => {
    const deal = await withOffer('500.00');
    const issued = async () =>
      (await dealOf(deal.ports.store, acme, deal.partner_id))?.deal.issued_amount;
    await okOf(deal.send('partner', amending({ title: 'Else' })));
    expect(await issued()).toBeNull();
    for (const amount of ['600', '700', '500']) {
      await okOf(deal.send('partner', amending({ amount })));
      expect(await issued()).toBe('500.00');
    }
  });
});

describe('the limit of proposals', () => {
  it('counts the open one of the same side, which this one ends', () => {
    const made = newDeal(shape);
    const deal = { ...made.deal, status: 'accepted', freelancer_status: 'accepted' } as const;
    const accepted = { ...made, deal };
    const newId = idMaker();
    const propose = (state: typeof made, actor: 'partner' | 'freelancer') => {
      const input = { kind: 'amendment', changes: { title: newId() } } as const;
      const command = { name: 'propose', actor, input } as const;
      const moment = momentOf(shape, dayOne, newId);
      const given = { about: 'proposal', command } as const;
      return giveCode(state, nothingKept, given, moment)._unsafeUnwrap();
    };
    const first = propose(accepted, 'partner');
    expect(first.atMost).toEqual({ proposed_by: 'partner', count: mostProposals });
    const open = applyChanges(accepted, first);
    expect(propose(open, 'partner').atMost?.count).toBe(mostProposals - 1);
    expect(propose(open, 'freelancer').atMost?.count).toBe(mostProposals);
  });
});

describe('who accepted the first terms of a deal from before', () => {
  it.each([
    ['2.0', 'accepted', 'freelancer'],
    ['2.0', 'finished', 'freelancer'],
    ['1.0', 'accepted', 'partner'],
    ['1.0', 'finished', 'partner'],
    ['2.0', 'new', null],
    ['2.0', 'removed', null],
  ] as const)('is told by its version %s and the status %s: %s', (version, status, side) => {
    const { deal } = newDeal({ ...shape, version });
    const row = {
      terms_key: '',
      terms_version: 1,
      terms: '{}',
      terms_sha256: '',
      kind: 'creation',
      proposal_id: null,
      proposed_by: 'partner',
      accepted_by: null,
      employer_fee: '0.00',
      contractor_fee: '0.00',
      at: instant(0),
    } as const;
    expect(shownVersion(row, { ...deal, freelancer_status: status }).accepted_by).toBe(side);
  });
});
