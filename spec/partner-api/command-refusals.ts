import type { OfStage, Reasoned } from '../../src/api/commands.js';
import { equal, errOf, okOf } from '../expectations.js';
import { delivered } from './commands.js';
import {
  type AnyError,
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  file,
  invalid,
  told,
} from './subject.js';

const { partner_id } = deal;
const reason = 'For a reason.';

/** Asserts that the deal does not have the command, and which ones it has. */
function illegal(error: AnyError, [status, freelancer_status]: string[], legal: string[]): void {
  const { message: _, ...said } = told(error) as { readonly message: string };
  const known = { deal_status: status, freelancer_status, legal };
  equal(said, { code: 'illegal_transition', ...known }, 'what the deal knows');
}

/** Asserts that something is missing for the command. */
function unmet(error: AnyError, expected: string): void {
  const { code, reason: why } = told(error) as { readonly code: string; readonly reason: string };
  equal([code, why], ['precondition_failed', expected], 'what is missing');
}

/** Inputs that a command refuses, and the issue of each. */
const refused: readonly (readonly [input: object, field: string, code: string])[] = [
  [{}, 'reason', 'required'],
  [{ reason: '' }, 'reason', 'too_short'],
  [{ reason: 'x'.repeat(2001) }, 'reason', 'too_long'],
  [{ reason: null }, 'reason', 'null_not_allowed'],
  [{ reason: 7 }, 'reason', 'wrong_type'],
  [{ reason: 'nul\0' }, 'reason', 'forbidden_character'],
  [{ reason, message: '' }, 'message', 'too_short'],
  [{ reason, message: '😀'.repeat(2001) }, 'message', 'too_long'],
  [{ reason, stage_id: 1.5 }, 'stage_id', 'not_an_integer'],
  [{ reason, stage_id: 'one' }, 'stage_id', 'wrong_type'],
  [{ reason, stage_id: 2 ** 53 - 1 }, 'stage_id', 'unknown_stage'],
];

/** Decision 6: which commands are refused, and why. */
export function commandRefusals(define: DefineCase): void {
  define('names the commands that the deal knows', async ({ api }) => {
    await createDocumentedDeal(api);
    illegal(
      errOf(await api.approve(partner_id), 'approve'),
      ['created', 'new'],
      [...['invite', 'accept', 'decline', 'cancel', 'deliver']],
    );
    okOf(await api.accept(partner_id), 'accept');
    illegal(
      errOf(await api.invite(partner_id), 'invite'),
      ['accepted', 'accepted'],
      [...['decline', 'cancel', 'deliver', 'dispute', 'request-payment']],
    );
    okOf(await api.cancel(partner_id), 'cancel');
    const ended = ['cancelled', 'removed'];
    illegal(errOf(await api.accept(partner_id), 'accept'), ended, []);
    illegal(errOf(await api.decline(partner_id), 'decline'), ended, []);
    illegal(errOf(await api.dispute(partner_id, { reason }), 'dispute'), ended, []);
  });

  define('leaves the freelancer of a 2.0 deal to the freelancer', async ({ api }) => {
    okOf(await api.createDealV2(dealV2), 'a 2.0 deal');
    okOf(await api.uploadFile({ partner_id: dealV2.partner_id }, file), 'a file');
    for (const name of ['accept', 'decline', 'deliver'] as const) {
      const error = errOf(await api[name](dealV2.partner_id), name);
      illegal(error, ['created', 'new'], ['invite', 'cancel']);
    }
  });

  define('says what is missing', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    unmet(errOf(await api.deliver(partner_id), 'deliver'), 'no_files');
    okOf(await api.accept(partner_id), 'accept');
    unmet(errOf(await api.dispute(partner_id, { reason }), 'dispute'), 'not_paid');
    unmet(errOf(await api.requestPayment(partner_id), 'request'), 'nothing_outstanding');
    okOf(await api.uploadFile({ id }, file), 'a file');
    okOf(await api.deliver(partner_id), 'deliver');
    unmet(errOf(await api.uploadFile({ id }, file), 'a file'), 'stage_closed');
    unmet(errOf(await api.uploadFile({ partner_id }, file), 'a file'), 'stage_closed');
  });

  define('refuses each member that breaks its rule, and changes nothing', async ({ api }) => {
    await delivered(api);
    const before = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
    for (const [input, field, code] of refused) {
      const given = input as OfStage<Reasoned>;
      const error = errOf(await api.requestChanges(partner_id, given), JSON.stringify(input));
      invalid(error, [{ path: [field], code }]);
    }
    for (const input of [7, 'text', [], true]) {
      const given: unknown = input;
      const called = await api.requestChanges(partner_id, given as OfStage<Reasoned>);
      invalid(errOf(called, JSON.stringify(input)), [{ path: [], code: 'wrong_type' }]);
    }
    equal(okOf(await api.retrieveDealDetails(partner_id), 'the deal'), before, 'as it was');
    const whole = '😀'.repeat(2000);
    okOf(await api.requestChanges(partner_id, { reason: whole, message: whole }), 'the longest');
  });

  define('lets nothing be uploaded or changed while a deal is disputed', async ({ api }) => {
    const id = await delivered(api);
    okOf(await api.dispute(partner_id, { reason }), 'dispute');
    okOf(await api.dispute(partner_id, { reason: 'Again.' }), 'a repeat');
    illegal(errOf(await api.cancel(partner_id), 'cancel'), ['disputed', 'accepted'], []);
    const changes = await api.requestChanges(partner_id, { reason });
    illegal(errOf(changes, 'request-changes'), ['disputed', 'accepted'], []);
    unmet(errOf(await api.uploadFile({ id }, file), 'a file'), 'stage_closed');
  });

  define('refuses a text that holds the payment token', async ({ api }) => {
    const { payment_token } = okOf(await api.createDealV2(dealV2), 'a 2.0 deal');
    const told = await api.invite(dealV2.partner_id, { message: `Use ${payment_token}!` });
    invalid(errOf(told, 'invite'), [{ path: ['message'], code: 'secret_in_text' }]);
  });
}
