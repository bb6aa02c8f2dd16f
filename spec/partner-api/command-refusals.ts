import type { OfStage, Reasoned } from '../../src/api/commands.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { equal, errOf, okOf } from '../expectations.js';
import { delivered } from './commands.js';
import { createDocumentedDeal, makeDeal, versions } from './deals.js';
import { type AnyError, invalid, told } from './errors.js';
import { group } from './subject.js';

const reason = 'For a reason.';
const ended = ['cancelled', 'removed'];

/** Asserts that the deal does not have the command, and which ones it has. */
function illegal(error: AnyError, [status, freelancer_status]: string[], legal: string[]): void {
  const { message: _, ...said } = told(error) as { message: string; legal?: readonly string[] };
  // a service without terms has no bonus
  const own = said.legal?.filter((name) => name !== 'add-bonus');
  const known = { deal_status: status, freelancer_status, legal };
  equal({ ...said, legal: own }, { code: 'illegal_transition', ...known }, 'what the deal knows');
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
];

/** Decision 6: which commands are refused, and why. */
export const commandRefusals = group(
  'commands that are refused',
  {
    must: {
      '6.2/illegal-transition/legal-commands':
        'A command that the state does not have is `illegal_transition`, with the statuses and the commands that are legal now.',
      '6.7/illegal-transition/of-the-freelancer':
        'In version 2.0 the partner gives no command of the freelancer, and is told its own.',
      '6.2/precondition/reason':
        'A command whose condition is not met is `precondition_failed`, with the reason.',
      '6.4/file/closed-stage':
        'A file for a stage that is no longer worked on is refused with `stage_closed`.',
      '6.7/command/refused-members':
        'A member of a command that breaks its rule is refused, is named with its code, and nothing changes.',
      '6.7/command/longest-text': 'A reason and a message have up to 2,000 characters.',
      '6.7/dispute/partner-waits':
        'While a deal is disputed, the partner can give no command but the same again.',
      '6.7/dispute/no-file': 'While a deal is disputed, no file is taken.',
      '6.7/command/no-token-in-text':
        'A text that holds the payment token of the deal is refused with `secret_in_text`.',
    },
  },
  (define) => {
    define(
      '6.2/illegal-transition/legal-commands',
      async (views) => {
        const { api, deal } = views;
        const { partner_id } = deal;
        await createDocumentedDeal(views);
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
        illegal(errOf(await api.decline(partner_id), 'decline'), ended, []);
      },
      '1.0',
    );

    define(
      '6.2/illegal-transition/legal-commands',
      async ({ api, dealV2 }) => {
        okOf(await api.createDealV2(dealV2), 'a deal');
        for (const name of ['approve', 'requestPayment'] as const) {
          const refusal = errOf(await api[name](dealV2.partner_id), name);
          illegal(refusal, ['created', 'new'], ['invite', 'cancel']);
        }
      },
      '2.0',
    );

    for (const version of versions) {
      define(
        '6.2/illegal-transition/legal-commands',
        async (views) => {
          const { api } = views;
          const { partner_id } = await makeDeal(views, version);
          okOf(await api.cancel(partner_id), 'cancel');
          illegal(errOf(await api.accept(partner_id), 'accept'), ended, []);
          illegal(errOf(await api.invite(partner_id), 'invite'), ended, []);
          illegal(errOf(await api.dispute(partner_id, { reason }), 'dispute'), ended, []);
        },
        `after the end, ${version}`,
      );
    }

    define('6.7/illegal-transition/of-the-freelancer', async ({ api, dealV2 }) => {
      okOf(await api.createDealV2(dealV2), 'a deal');
      for (const name of ['accept', 'decline', 'deliver'] as const) {
        const error = errOf(await api[name](dealV2.partner_id), name);
        illegal(error, ['created', 'new'], ['invite', 'cancel']);
      }
    });

    define('6.2/precondition/reason', async (views) => {
      const { api, deal } = views;
      const { partner_id } = deal;
      await createDocumentedDeal(views);
      unmet(errOf(await api.deliver(partner_id), 'deliver'), 'no_files');
      okOf(await api.accept(partner_id), 'accept');
      unmet(errOf(await api.dispute(partner_id, { reason }), 'dispute'), 'not_paid');
      unmet(errOf(await api.requestPayment(partner_id), 'request'), 'nothing_outstanding');
    });

    define(
      '6.4/file/closed-stage',
      async (views) => {
        const { api, deal, file } = views;
        const id = await delivered(views);
        unmet(errOf(await api.uploadFile({ id }, file), 'a file'), 'stage_closed');
        const { partner_id } = deal;
        unmet(errOf(await api.uploadFile({ partner_id }, file), 'a file'), 'stage_closed');
      },
      'delivered, 1.0',
    );

    for (const version of versions) {
      define(
        '6.4/file/closed-stage',
        async (views) => {
          const { api, file } = views;
          const { partner_id, reference } = await makeDeal(views, version);
          okOf(await api.cancel(partner_id), 'cancel');
          unmet(errOf(await api.uploadFile(reference, file), 'a file'), 'stage_closed');
        },
        `cancelled, ${version}`,
      );

      define(
        '6.7/command/refused-members',
        async (views) => {
          const { api } = views;
          const { partner_id } = await makeDeal(views, version);
          const before = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
          await refusesAll(api, partner_id);
          const after = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
          equal(after, before, 'as it was');
        },
        `of a new deal, ${version}`,
      );

      define(
        '6.7/command/longest-text',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          const whole = '😀'.repeat(2000);
          const given = { reason: whole, message: whole };
          okOf(await views.api.cancel(partner_id, given), 'the longest');
        },
        version,
      );
    }

    define(
      '6.7/command/refused-members',
      async (views) => {
        const { api, deal } = views;
        const { partner_id } = deal;
        await delivered(views);
        const before = okOf(await api.retrieveDealDetails(partner_id), 'the deal');
        await refusesAll(api, partner_id);
        const unknown = { reason, stage_id: Number.MAX_SAFE_INTEGER };
        const strange = await api.requestChanges(partner_id, unknown);
        invalid(errOf(strange, 'no stage'), [{ path: ['stage_id'], code: 'unknown_stage' }]);
        equal(okOf(await api.retrieveDealDetails(partner_id), 'the deal'), before, 'as it was');
        okOf(await api.requestChanges(partner_id, { reason }), 'one that is well-formed');
      },
      'of a delivered deal, 1.0',
    );

    define('6.7/dispute/partner-waits', async (views) => {
      const { api, deal } = views;
      const { partner_id } = deal;
      await delivered(views);
      okOf(await api.dispute(partner_id, { reason }), 'dispute');
      okOf(await api.dispute(partner_id, { reason: 'Again.' }), 'a repeat');
      illegal(errOf(await api.cancel(partner_id), 'cancel'), ['disputed', 'accepted'], []);
      const changes = await api.requestChanges(partner_id, { reason });
      illegal(errOf(changes, 'request-changes'), ['disputed', 'accepted'], []);
    });

    define('6.7/dispute/no-file', async (views) => {
      const { api, deal, file } = views;
      const id = await delivered(views);
      okOf(await api.dispute(deal.partner_id, { reason }), 'dispute');
      unmet(errOf(await api.uploadFile({ id }, file), 'a file'), 'stage_closed');
    });

    define('6.7/command/no-token-in-text', async ({ api, dealV2 }) => {
      const { payment_token } = okOf(await api.createDealV2(dealV2), 'a deal');
      const told = await api.invite(dealV2.partner_id, { message: `Use ${payment_token}!` });
      invalid(errOf(told, 'invite'), [{ path: ['message'], code: 'secret_in_text' }]);
    });
  },
);

/** Gives a command each input that it refuses: the form is judged before the state of the deal. */
async function refusesAll(api: PartnerApi, partner_id: string): Promise<void> {
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
}
