import { isPaymentToken } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { acme, createWorldOf, day, file, inProcess, overHttp, stateOf } from './world.js';

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
] as const)('%s', (_, faces) => {
  const createWorld = createWorldOf(faces);

  describe('a deal that is paid after its work', () => {
    it('goes from the offer to the payout, each side by its own face', async () => {
      const { api, asked, details, events, offer, operator } = createWorld();
      const { partner_id, payment_token, freelancer } = await offer();
      expect(isPaymentToken(payment_token)).toBe(true);
      await api.invite(partner_id);
      expect(stateOf((await freelancer.view())._unsafeUnwrap())).toBe('created invited pending');
      (await freelancer.accept())._unsafeUnwrap();
      const uploaded = (await freelancer.uploadFile(file))._unsafeUnwrap();
      const delivered = (await freelancer.deliver({ message: 'Here.' }))._unsafeUnwrap();
      expect(stateOf(delivered)).toBe('delivered accepted submitted');
      (await api.approve(partner_id))._unsafeUnwrap();

      expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
        done: 2,
        failed: 0,
        failures: [],
      });
      expect(asked.map(({ kind, amount }) => [kind, amount])).toEqual([
        ['request_payment', '500.00'],
        ['pay_out', '500.00'],
      ]);
      const after = await details();
      expect(stateOf(after)).toBe('completed finished paid');
      expect(after.billing).toMatchObject({
        paid: '500.00',
        released: '500.00',
        held: '0.00',
        outstanding: '0.00',
        employer_payments: [{ status: 'paid', amount: '500.00' }],
        contractor_payments: [{ status: 'paid', amount: '500.00', stage_ids: [2] }],
      });
      const all = await events();
      expect(all.map(({ type, actor }) => `${type} ${actor}`)).toEqual([
        'deal.created partner',
        'deal.invited partner',
        'deal.accepted freelancer',
        'work_file.stored freelancer',
        'deal.delivered freelancer',
        'deal.approved partner',
        'employer_payment.requested partner',
        'employer_payment.paid payments',
        'contractor_payment.scheduled payments',
        'contractor_payment.processing payments',
        'contractor_payment.paid payments',
        'deal.completed payments',
      ]);
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
      expect(all[6]?.cause).toBe(all[5]?.id);
      expect(JSON.stringify(all)).not.toContain(payment_token);

      const view = (await freelancer.view())._unsafeUnwrap();
      expect(JSON.stringify(view)).not.toMatch(/employer|payment_token|partner_id|billing/);
      expect(view.contractor_payments).toHaveLength(1);
      const { content, ...known } = (await freelancer.downloadFile(uploaded.id))._unsafeUnwrap();
      const { id, name, size, sha256, content_type } = uploaded;
      expect(known).toEqual({ id, name, size, sha256, content_type });
      const pieces: number[] = [];
      for await (const piece of content) pieces.push(...piece);
      expect(pieces).toEqual([...file.content]);
    });

    it('shows and pays the amount less the fee, and keeps both fees', async () => {
      const [employer_fee, contractor_fee] = ['10.00', '25.00'];
      const world = createWorld({ feePolicy: () => ({ employer_fee, contractor_fee }) });
      const { freelancer, partner_id } = await world.offer('100.00');
      expect((await freelancer.view())._unsafeUnwrap().amount).toBe('75.00');
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await world.api.approve(partner_id);
      await world.operator.runEffects();
      expect((await world.details()).billing).toMatchObject({
        amount: '100.00',
        paid: '110.00',
        released: '75.00',
        fees: '35.00',
        held: '0.00',
      });
    });
  });

  describe('a deal that is paid before its work', () => {
    it('asks on acceptance, and lets nothing be delivered before it is paid', async () => {
      const { api, details, offer, operator } = createWorld({ mode: 'prepaid' });
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      expect((await freelancer.deliver())._unsafeUnwrapErr()).toMatchObject({
        code: 'precondition_failed',
        reason: 'not_paid',
      });
      expect((await details()).status).toBe('created');
      await freelancer.accept();
      await operator.runEffects();
      expect((await details()).billing).toMatchObject({ paid: '500.00', held: '500.00' });
      expect((await api.cancel(partner_id))._unsafeUnwrapErr()).toMatchObject({
        reason: 'already_paid',
      });
      (await freelancer.deliver())._unsafeUnwrap();
      await api.approve(partner_id);
      await operator.runEffects();
      expect(stateOf(await details())).toBe('completed finished paid');
    });

    it('gives back what is held once the operator cancels it', async () => {
      const { details, offer, operator, operatorDeals } = createWorld({ mode: 'prepaid' });
      const { partner_id, freelancer } = await offer();
      await freelancer.accept();
      await operator.runEffects();
      const cancelled = await operatorDeals.cancel(partner_id, { reason: 'A fraud.' });
      expect(cancelled._unsafeUnwrap()).not.toHaveProperty('payment_token');
      expect((await details()).billing).toMatchObject({ held: '500.00', refunded: '0.00' });
      expect((await operator.runEffects())._unsafeUnwrap().done).toBe(1);
      expect((await details()).billing).toMatchObject({
        held: '0.00',
        refunded: '500.00',
        employer_payments: [{ status: 'refunded' }],
      });
    });
  });

  describe('the amounts that mean something in the sandbox', () => {
    const approved = async (amount: string) => {
      const world = createWorld();
      const { partner_id, freelancer } = await world.offer(amount);
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await world.api.approve(partner_id);
      await world.operator.runEffects();
      return { ...world, partner_id };
    };

    it('.01: each payment of the employer fails', async () => {
      const { api, details, operator, partner_id } = await approved('10.01');
      expect((await details()).billing.employer_payments.map(({ status }) => status)).toEqual([
        'failed',
      ]);
      (await api.requestPayment(partner_id))._unsafeUnwrap();
      await operator.runEffects();
      const { billing, status } = await details();
      expect(billing.employer_payments.map((each) => each.status)).toEqual(['failed', 'failed']);
      expect([status, billing.outstanding]).toEqual(['approved', '10.01']);
    });

    it('.02: the payout is returned once', async () => {
      const { details, operator, partner_id, operatorDeals } = await approved('10.02');
      expect((await details()).billing.contractor_payments).toMatchObject([{ status: 'returned' }]);
      (await operatorDeals.retryPayout(partner_id))._unsafeUnwrap();
      await operator.runEffects();
      expect(stateOf(await details())).toBe('completed finished paid');
    });

    it('.03: the first payment is charged back before the payout', async () => {
      const { api, asked, details, operator, partner_id } = await approved('10.03');
      const { billing } = await details();
      expect(billing).toMatchObject({
        paid: '10.03',
        charged_back: '10.03',
        held: '0.00',
        loss: '0.00',
      });
      expect(asked.map(({ kind }) => kind)).toEqual(['request_payment']);
      (await api.requestPayment(partner_id))._unsafeUnwrap();
      await operator.runEffects();
      expect((await details()).billing).toMatchObject({ paid: '20.06', released: '10.03' });
      expect(stateOf(await details())).toBe('completed finished paid');
    });

    it('.04: the employer never answers, until the request expires', async () => {
      const { clock, details, operator } = await approved('10.04');
      clock.advance(14 * day);
      expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
        done: 1,
        failed: 0,
        failures: [],
      });
      expect((await details()).billing.employer_payments).toMatchObject([{ status: 'expired' }]);
    });
  });

  describe('the token of a deal', () => {
    it.each([
      'no token',
      'Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG',
      's.YWNtZQ.Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aGZk3v9QpX7mT',
      '',
    ])('is unauthorized if no deal has it: %j', async (token) => {
      const { marketplace, offer } = createWorld();
      await offer();
      const nobody = marketplace.freelancer('sandbox', token);
      const answers = [
        await nobody.view(),
        await nobody.accept(),
        await nobody.deliver(),
        await nobody.uploadFile(file),
        await nobody.downloadFile('01KDVE0000000000000000000A'),
      ];
      for (const answer of answers) {
        expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unauthorized' });
      }
    });

    it('is of one environment', async () => {
      const { marketplace, offer } = createWorld();
      const { payment_token } = await offer();
      const other = marketplace.freelancer('production', payment_token);
      expect((await other.accept())._unsafeUnwrapErr().code).toBe('unauthorized');
    });
  });

  describe('the operator', () => {
    it('sees and resolves a dispute of any partner', async () => {
      const { api, details, offer, operator, operatorDeals } = createWorld();
      const { partner_id, freelancer } = await offer('100.00');
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      (await freelancer.dispute({ reason: 'Nobody answers.' }))._unsafeUnwrap();
      expect(
        (await operator.listDeals({ partner: 'acme', status: 'disputed' }))._unsafeUnwrap().results,
      ).toHaveLength(1);
      const seen = (await operatorDeals.retrieveDeal(partner_id))._unsafeUnwrap();
      expect(Object.keys(seen)).not.toContain('payment_token');
      const { id = '' } = seen.stages[0]?.work_files[0] ?? {};
      const work = (await operatorDeals.downloadWorkFile(partner_id, id))._unsafeUnwrap();
      const pieces: number[] = [];
      for await (const piece of work.content) pieces.push(...piece);
      expect(pieces).toEqual([...file.content]);
      for (const [agreed_amount, code] of [
        ['100.01', 'precondition_failed'],
        ['-0.01', 'validation_failed'],
        ['a', 'validation_failed'],
      ] as const) {
        const refused = await operatorDeals.resolve(partner_id, { agreed_amount });
        expect(refused._unsafeUnwrapErr().code).toBe(code);
      }
      const resolved = (
        await operatorDeals.resolve(partner_id, { agreed_amount: '60' })
      )._unsafeUnwrap();
      expect(stateOf(resolved)).toBe('approved accepted approved');
      expect(resolved).toMatchObject({ agreed_amount: '60.00', billing: { outstanding: '60.00' } });
      (await operatorDeals.resolve(partner_id, { agreed_amount: '60.00' }))._unsafeUnwrap();
      await operator.runEffects();
      expect((await details()).billing).toMatchObject({ paid: '60.00', released: '60.00' });
      expect((await api.approve(partner_id)).isOk()).toBe(true);
    });

    it('finds the deals whose money needs it, as their partner does', async () => {
      const { api, operator, operatorDeals, offer, details } = createWorld();
      const { partner_id, freelancer } = await offer('100.00');
      const other = await offer('100.00', 'other');
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      await operator.runEffects();
      const found = async (more: { readonly status?: 'completed' | 'created' } = {}) => {
        const query = { attention: 'true', ...more } as const;
        const lists = [
          (await api.listDeals(query))._unsafeUnwrap(),
          (await operator.listDeals({ partner: 'acme', ...query }))._unsafeUnwrap(),
        ];
        return lists.map(({ results }) => results.map((each) => each.partner_id));
      };
      expect(other.partner_id).toBe('other');
      expect(await found()).toEqual([[], []]);
      const [payout] = (await details()).billing.contractor_payments;
      const back = { payment_id: payout?.id ?? '', status: 'returned', reference: 'back' } as const;
      (await operatorDeals.recordContractorPayment(partner_id, back))._unsafeUnwrap();
      expect((await details()).attention).toEqual(['payout_returned']);
      expect(await found()).toEqual([[partner_id], [partner_id]]);
      expect(await found({ status: 'completed' })).toEqual([[partner_id], [partner_id]]);
      expect(await found({ status: 'created' })).toEqual([[], []]);
      (await operatorDeals.retryPayout(partner_id))._unsafeUnwrap();
      expect(await found()).toEqual([[], []]);
    });

    it('records by hand what was paid if no gateway does', async () => {
      const world = createWorld({}, { executes: () => false, execute: () => never() });
      const { partner_id, freelancer } = await world.offer('100.00');
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await world.api.approve(partner_id);
      expect((await world.operator.runEffects())._unsafeUnwrap()).toEqual({
        done: 0,
        failed: 0,
        failures: [],
      });
      const [request] = (await world.details()).billing.employer_payments;
      const paid = await world.operatorDeals.recordEmployerPayment(partner_id, {
        payment_id: request?.id ?? '',
        status: 'paid',
        reference: 'statement 7',
      });
      const [payout] = paid._unsafeUnwrap().billing.contractor_payments;
      const out = {
        payment_id: payout?.id ?? '',
        status: 'paid',
        reference: 'transfer 8',
      } as const;
      for (let repeat = 0; repeat < 2; repeat += 1) {
        const done = (
          await world.operatorDeals.recordContractorPayment(partner_id, out)
        )._unsafeUnwrap();
        expect(stateOf(done)).toBe('completed finished paid');
        expect(done.billing).toMatchObject({ paid: '100.00', released: '100.00', held: '0.00' });
      }
      const unknown = await world.operatorDeals.recordContractorPayment(partner_id, {
        ...out,
        payment_id: 'x',
      });
      expect(unknown._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: ['payment_id'], code: 'unknown_payment' }],
      });
      expect(acme.partner).toBe('acme');
    });
  });
});

function never(): never {
  throw new Error('nothing is executed here');
}
