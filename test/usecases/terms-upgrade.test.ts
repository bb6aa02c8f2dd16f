import type { RecordKind, Row } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { dealBody, dealV2Body } from '../domain/field-tables.js';
import { acme } from '../faces/world.js';
import { amending, type Offered, okOf, withOffer } from './terms-world.js';

const key = { idempotencyKey: 'key-1' };

/** The answers in a store. */
async function answersOf({ ports }: Offered): Promise<readonly Row<'answer'>[]> {
  const rows: Row<'answer'>[] = [];
  for await (const record of ports.store.archive.dump()) {
    if ((record.kind as RecordKind) === 'answer') rows.push(record.row as Row<'answer'>);
  }
  return rows;
}

/** The fields that an earlier version of the library did not keep with an answer. */
const added: Readonly<Record<string, readonly string[]>> = {
  deal: ['employer_fee', 'contractor_fee', 'terms_version', 'proposal'],
  stage: ['deadline'],
};

/** Takes them away from the answers in a store. */
async function asBefore(deal: Offered): Promise<number> {
  const kept = (await answersOf(deal)).filter(({ answer_key }) => answer_key.startsWith('state '));
  for (const { answer_key, answer } of kept) {
    const columns = JSON.parse(answer) as Record<string, Record<string, unknown>>;
    for (const [kind, names] of Object.entries(added)) {
      for (const name of names) delete columns[kind]?.[name];
    }
    await okOf(
      Promise.resolve(
        deal.ports.store.commit(acme, {
          attempt: '01KDVE0000000000000000000A',
          expect: [{ present: 'answer', key: answer_key }],
          insert: [],
          change: [{ kind: 'answer', key: answer_key, set: { answer: JSON.stringify(columns) } }],
          events: [],
        }),
      ),
    );
  }
  return kept.length;
}

describe('a key from before the upgrade', () => {
  it('gives the first answer after an amendment, with the fees of its time', async () => {
    const feePolicy = ({ amount }: { readonly amount: string }) => ({
      employer_fee: (Number(amount) / 10).toFixed(2),
      contractor_fee: (Number(amount) / 20).toFixed(2),
    });
    const deal = await withOffer('500.00', { feePolicy });
    const { api, freelancer, partner_id } = deal;
    await okOf(freelancer.accept());
    const own = await okOf(freelancer.accept({}, key));
    const delivered = { idempotencyKey: 'key-2' };
    await okOf(freelancer.uploadFile({ name: 'a', content: Uint8Array.of(1) }));
    await okOf(freelancer.deliver());
    const asked = await okOf(api.requestChanges(partner_id, { reason: 'More.' }, delivered));
    // a repeat shares what is kept
    await okOf(freelancer.accept({}, { idempotencyKey: 'key-3' }));
    expect(await asBefore(deal)).toBeGreaterThan(0);
    expect((await okOf(freelancer.accept({}, key))).contractor_fee).toBe('25.00');
    await okOf(
      deal.accept('partner', await deal.propose('freelancer', amending({ amount: '900' }))),
    );
    const read = await okOf(freelancer.accept({}, key));
    // there were no due dates then
    expect(read).toStrictEqual({
      ...own,
      stages: own.stages.map((stage) => ({ ...stage, due_on: null, due_at: null })),
    });
    const again = await okOf(api.requestChanges(partner_id, { reason: 'More.' }, delivered));
    expect(again.billing).toStrictEqual(asked.billing);
    expect(again).toMatchObject({ amount: '500.00', terms_version: 1, terms_sha256: null });
  });
});

describe('a deal that was accepted before the upgrade', () => {
  it.each([
    ['2.0', 'freelancer'],
    ['1.0', 'partner'],
  ])('of version %s says that its %s accepted the first terms', async (version, side) => {
    const deal = await withOffer();
    const { api } = deal;
    if (version === '1.0') await deal.deal();
    const partner_id = version === '1.0' ? dealBody.partner_id : deal.partner_id;
    const accepted = async () =>
      (await okOf(api.listTerms(partner_id))).results.map((each) => each.accepted_by);
    expect(await accepted()).toEqual([null]);
    if (version === '1.0') await okOf(api.accept(partner_id));
    else await deal.acceptOffer();
    await okOf(
      Promise.resolve(
        deal.ports.store.commit(acme, {
          attempt: '01KDVE0000000000000000000B',
          expect: [{ present: 'deal', key: partner_id }],
          insert: [],
          change: [{ kind: 'deal', key: partner_id, set: { accepted_by: null } }],
          events: [],
        }),
      ),
    );
    expect(await accepted()).toEqual([side]);
    await okOf(api.cancel(partner_id));
    // a deal that has ended does not tell whether it was accepted
    expect(await accepted()).toEqual([null]);
  });
});

describe('the freelancer of the sandbox', () => {
  it('accepts the terms of its moment', async () => {
    const deal = await withOffer();
    const { api, operator } = deal;
    const partner_id = 'auto';
    const email_freelancer = 'jan+accept@example.com';
    await okOf(api.createDealV2({ ...dealV2Body, partner_id, email_freelancer }));
    await okOf(api.propose(partner_id, amending({ amount: '700' })));
    await okOf(operator.runEffects());
    const details = await okOf(api.retrieveDealDetails(partner_id));
    expect(details).toMatchObject({ status: 'accepted', amount: '700.00', terms_version: 2 });
    const { results } = await okOf(api.listTerms(partner_id));
    expect(results.map(({ accepted_by }) => accepted_by)).toEqual(['freelancer', 'freelancer']);
  });

  it('pays by the amount of the moment', async () => {
    for (const [before, after, status] of [
      ['500.00', '500.01', 'failed'],
      ['500.01', '500.00', 'paid'],
    ] as const) {
      const deal = await withOffer(before, { mode: 'prepaid' });
      await okOf(deal.api.propose(deal.partner_id, amending({ amount: after })));
      await deal.acceptOffer();
      await okOf(deal.operator.runEffects());
      const [payment] = (await deal.details()).billing.employer_payments;
      expect(payment).toMatchObject({ amount: after, status });
    }
  });
});
