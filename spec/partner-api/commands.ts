import type { DealDetails } from '../../src/api/answers.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import {
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  file,
  missing,
  plain,
} from './subject.js';

const { partner_id } = deal;
const key = { idempotencyKey: 'the-key' };

/** A command without input, by its name. */
type Step = Exclude<keyof Commands, 'requestChanges' | 'dispute'>;
type Commands = Pick<
  PartnerApi,
  | 'invite'
  | 'accept'
  | 'decline'
  | 'cancel'
  | 'deliver'
  | 'requestChanges'
  | 'approve'
  | 'dispute'
  | 'requestPayment'
>;

/** The visible state of a deal. */
const stateOf = ({ status, freelancer_status, stages }: DealDetails): string =>
  [status, freelancer_status, ...stages.map((stage) => stage.status)].join(' ');

/** Gives a deal of version 1.0 commands, and asserts the state after each. */
async function walk(api: PartnerApi, steps: readonly (readonly [Step, string])[]): Promise<void> {
  for (const [name, state] of steps) {
    equal(stateOf(okOf(await api[name](partner_id), name)), state, `the deal after ${name}`);
  }
}

/** A deal with a file, whose work was delivered. */
export async function delivered(api: PartnerApi): Promise<number> {
  const { id } = await createDocumentedDeal(api);
  okOf(await api.accept(partner_id), 'accept');
  okOf(await api.uploadFile({ id }, file), 'the file');
  okOf(await api.deliver(partner_id), 'deliver');
  return id;
}

/** Decision 6: the life of a deal as its partner leads it, for the freelancer of a 1.0 deal too. */
export function commands(define: DefineCase): void {
  define('lead a deal from the invitation to the approval', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    await walk(api, [
      ['invite', 'created invited pending'],
      ['accept', 'accepted accepted pending'],
    ]);
    okOf(await api.uploadFile({ id }, file), 'the first file');
    await walk(api, [['deliver', 'delivered accepted submitted']]);
    const reason = 'The title is missing.';
    const back = okOf(await api.requestChanges(partner_id, { reason }), 'request-changes');
    equal(stateOf(back), 'changes_requested accepted changes_requested', 'after it');
    equal(back.stages[0]?.work_files[0]?.status, 'superseded', 'the first file');
    okOf(await api.uploadFile({ partner_id }, file), 'the second file');
    await walk(api, [['deliver', 'delivered accepted submitted']]);
    const approved = okOf(await api.approve(partner_id, { message: 'Thank you.' }), 'approve');
    equal(stateOf(approved), 'approved accepted approved', 'after it');
    const statuses = okOf(await api.listWorkFiles(partner_id), 'files').map(({ status }) => status);
    equal(statuses, ['superseded', 'accepted'], 'the files');
    const { paid, outstanding, employer_payments } = approved.billing;
    equal([paid, outstanding], ['0.00', deal.budget], 'the billing');
    const [request, ...others] = employer_payments;
    check(request !== undefined && others.length === 0, 'one payment is requested');
    equal([request.amount, request.currency], [deal.budget, deal.currency], 'for the whole');
    equal(approved, okOf(await api.retrieveDealDetails(partner_id), 'the deal'), 'as it is read');
  });

  define('are answered with the deal as it is if they are repeated', async ({ api }) => {
    await delivered(api);
    const first = okOf(await api.approve(partner_id), 'approve');
    for (let repeat = 0; repeat < 3; repeat += 1) {
      equal(okOf(await api.approve(partner_id), 'a repeat'), first, 'nothing has changed');
    }
    const asked = okOf(await api.requestPayment(partner_id), 'while a request is open');
    equal(asked.billing.employer_payments.length, 1, 'the payments that were requested');
  });

  define('accept, decline and cancel end where they should', async ({ api }) => {
    await createDocumentedDeal(api);
    await walk(api, [
      ['decline', 'cancelled declined cancelled'],
      ['decline', 'cancelled declined cancelled'],
    ]);
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a 2.0 deal');
    const cancelled = okOf(await api.cancel('second', { reason: 'Stopped.' }), 'cancel');
    equal(stateOf(cancelled), 'cancelled removed cancelled', 'the second deal');
  });

  define(
    'find a deal by any identifier, but for its own partner alone',
    async ({ api, other, live }) => {
      for (const odd of ['..', 'a/b c%z?#', 'by-id', 'file', 'ł'.repeat(40)]) {
        okOf(await api.createDealV2({ ...dealV2, partner_id: odd }), odd);
        equal(stateOf(okOf(await api.invite(odd), odd)), 'created invited pending', odd);
        okOf(await api.uploadFile({ partner_id: odd }, file), `a file of ${odd}`);
        equal(okOf(await api.listWorkFiles(odd), odd).length, 1, `the files of ${odd}`);
        for (const view of [other, live]) {
          missing(errOf(await view.cancel(odd), 'a stranger'), 'deal');
          missing(errOf(await view.listWorkFiles(odd), 'a stranger'), 'deal');
          missing(errOf(await view.uploadFile({ partner_id: odd }, file), 'a stranger'), 'deal');
        }
      }
      missing(errOf(await api.cancel('none'), 'no deal'), 'deal');
    },
  );

  define('repeat their first answer under a key, even after later changes', async ({ api }) => {
    await createDocumentedDeal(api);
    const first = okOf(await api.invite(partner_id, {}, key), 'invite');
    okOf(await api.accept(partner_id), 'accept');
    equal(okOf(await api.invite(partner_id, {}, key), 'again'), first, 'the first answer');
    const reused = await api.invite(partner_id, { message: 'Come.' }, key);
    plain(errOf(reused, 'with other input'), 'idempotency_key_reused');
    plain(errOf(await api.accept(partner_id, {}, key), 'another'), 'idempotency_key_reused');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }, key), 'a create');
    equal(okOf(await api.invite('second', {}, key), 'of another deal').status, 'created', 'it');
  });

  define(
    'keep the key of a success that changed nothing, and none of a refusal',
    async ({ api }) => {
      const id = await delivered(api);
      const repeated = okOf(await api.deliver(partner_id, {}, key), 'a repeat');
      okOf(await api.requestChanges(partner_id, { reason: 'More.' }), 'request-changes');
      equal(okOf(await api.deliver(partner_id, {}, key), 'again'), repeated, 'the first answer');
      const other = { idempotencyKey: 'another' };
      errOf(await api.deliver(partner_id, {}, other), 'without a file');
      okOf(await api.uploadFile({ id }, file), 'a file');
      okOf(await api.deliver(partner_id, {}, other), 'the refusal was not kept');
    },
  );

  define('are given once, however often at once', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    okOf(await api.uploadFile({ id }, file), 'a file');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? api.deliver(partner_id) : api.accept(partner_id),
      ),
    );
    for (const each of all) okOf(each, 'each');
    const after = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
    equal(stateOf(after), 'delivered accepted submitted', 'the deal');
  });
}
