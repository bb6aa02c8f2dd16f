import type { DealDetails } from '../../src/api/answers.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { createDocumentedDeal, makeDeal, versions } from './deals.js';
import { missing, plain } from './errors.js';
import { everyStranger, group, strangers, type Views } from './subject.js';

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

/** Gives the deal of the case commands, and asserts the state after each. */
async function walk(
  { api, deal }: Views,
  steps: readonly (readonly [Step, string])[],
): Promise<void> {
  for (const [name, state] of steps) {
    equal(stateOf(okOf(await api[name](deal.partner_id), name)), state, `the deal after ${name}`);
  }
}

/** A deal with a file, whose work was delivered. */
export async function delivered(views: Views): Promise<number> {
  const { api, deal, file } = views;
  const { id } = await createDocumentedDeal(views);
  okOf(await api.accept(deal.partner_id), 'accept');
  okOf(await api.uploadFile({ id }, file), 'the file');
  okOf(await api.deliver(deal.partner_id), 'deliver');
  return id;
}

/** Decision 6: the life of a deal as its partner leads it, for the freelancer of a 1.0 deal too. */
export const commands = group(
  'commands',
  {
    must: {
      '6.1/life/to-the-approval':
        'Commands lead a deal of version 1.0 from its invitation through changes to its approval, with its stage and files.',
      '6.3/payment/asked-for-on-approval':
        'The approval of work asks for one payment of the employer, of what was approved.',
      '6.2/life/to-the-end': 'A deal that is declined or cancelled ends, with its stage.',
      '6.2/repeat/changes-nothing':
        'A command whose effect is there already is answered with the deal as it is, and changes nothing.',
      '4/command/any-partner-id': 'A command finds a deal under any `partner_id` that it can have.',
      '4/file/any-partner-id': 'Files are uploaded and listed under any `partner_id`.',
      '2.5/command/foreign-deal':
        'A command, or a list of files, for a deal that does not exist or is of another tenant is `not_found`.',
      '2.7/command/replay':
        'A command that comes again with its key gets its first answer, even after later changes; other input is refused.',
      '6.7/command/key-of-no-change': 'A command that changed nothing keeps its key, too.',
      '2.7/command/refusal-not-kept': 'A command that was refused does not keep its key.',
      '6.2/command/at-once': 'A command that is given many times at once has its effect once.',
    },
  },
  (define) => {
    define('6.1/life/to-the-approval', async (views) => {
      const { api, deal, file } = views;
      const { partner_id } = deal;
      const { id } = await createDocumentedDeal(views);
      await walk(views, [
        ['invite', 'created invited pending'],
        ['accept', 'accepted accepted pending'],
      ]);
      okOf(await api.uploadFile({ id }, file), 'the first file');
      await walk(views, [['deliver', 'delivered accepted submitted']]);
      const reason = 'The title is missing.';
      const back = okOf(await api.requestChanges(partner_id, { reason }), 'request-changes');
      equal(stateOf(back), 'changes_requested accepted changes_requested', 'after it');
      equal(back.stages[0]?.work_files[0]?.status, 'superseded', 'the first file');
      okOf(await api.uploadFile({ partner_id }, file), 'the second file');
      const delivery = okOf(await api.deliver(partner_id), 'deliver');
      equal(stateOf(delivery), 'delivered accepted submitted', 'after it');
      equal(delivery, okOf(await api.retrieveDealDetails(partner_id), 'the deal'), 'as it is read');
      const approved = okOf(await api.approve(partner_id, { message: 'Thank you.' }), 'approve');
      equal(stateOf(approved), 'approved accepted approved', 'after it');
      const files = okOf(await api.listWorkFiles(partner_id), 'files');
      const statuses = files.map(({ status }) => status);
      equal(statuses, ['superseded', 'accepted'], 'the files');
    });

    define('6.3/payment/asked-for-on-approval', async (views) => {
      const { api, deal } = views;
      await delivered(views);
      const { billing } = okOf(await api.approve(deal.partner_id), 'approve');
      const { paid, outstanding, employer_payments } = billing;
      equal([paid, outstanding], ['0.00', deal.budget], 'the billing');
      const [request, ...others] = employer_payments;
      check(request !== undefined && others.length === 0, 'one payment is requested');
      equal([request.amount, request.currency], [deal.budget, deal.currency], 'for the whole');
    });

    define(
      '6.2/repeat/changes-nothing',
      async (views) => {
        const { api, deal } = views;
        await delivered(views);
        // a read between an approval and its repeat may see a payment that a service made meanwhile
        const first = okOf(await api.deliver(deal.partner_id), 'deliver');
        for (let repeat = 0; repeat < 3; repeat += 1) {
          equal(okOf(await api.deliver(deal.partner_id), 'a repeat'), first, 'nothing has changed');
        }
        okOf(await api.approve(deal.partner_id), 'approve');
        okOf(await api.approve(deal.partner_id), 'a repeat');
        const asked = okOf(await api.requestPayment(deal.partner_id), 'while a request is open');
        equal(asked.billing.employer_payments.length, 1, 'the payments that were requested');
      },
      '1.0',
    );

    define(
      '6.2/repeat/changes-nothing',
      async ({ api, dealV2 }) => {
        okOf(await api.createDealV2(dealV2), 'a deal');
        for (const name of ['invite', 'cancel'] as const) {
          const first = okOf(await api[name](dealV2.partner_id), name);
          equal(okOf(await api[name](dealV2.partner_id), 'a repeat'), first, 'nothing has changed');
        }
      },
      '2.0',
    );

    define(
      '6.2/life/to-the-end',
      async (views) => {
        await createDocumentedDeal(views);
        await walk(views, [
          ['decline', 'cancelled declined cancelled'],
          ['decline', 'cancelled declined cancelled'],
        ]);
      },
      'declined, 1.0',
    );

    for (const version of versions) {
      define(
        '6.2/life/to-the-end',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          const answer = await views.api.cancel(partner_id, { reason: 'Stopped.' });
          equal(stateOf(okOf(answer, 'cancel')), 'cancelled removed cancelled', 'the deal');
        },
        `cancelled, ${version}`,
      );
    }

    const oddNames = ({ prefix }: Views) =>
      ['..', '/../', 'a/b c%z?#', 'by-id', 'file', 'ł'.repeat(40 - prefix.length)].map(
        (text) => `${prefix}${text}`,
      );

    define('4/command/any-partner-id', async (views) => {
      const { api, dealV2 } = views;
      for (const odd of oddNames(views)) {
        okOf(await api.createDealV2({ ...dealV2, partner_id: odd }), odd);
        equal(stateOf(okOf(await api.invite(odd), odd)), 'created invited pending', odd);
      }
    });

    define('4/file/any-partner-id', async (views) => {
      const { api, dealV2, file } = views;
      for (const odd of oddNames(views)) {
        okOf(await api.createDealV2({ ...dealV2, partner_id: odd }), odd);
        okOf(await api.uploadFile({ partner_id: odd }, file), `a file of ${odd}`);
        equal(okOf(await api.listWorkFiles(odd), odd).length, 1, `the files of ${odd}`);
      }
    });

    define(
      '2.5/command/foreign-deal',
      async ({ api, name }) => {
        missing(errOf(await api.cancel(name('none')), 'no deal'), 'deal');
      },
      'no deal, a command',
    );

    define(
      '2.5/command/foreign-deal',
      async ({ api, name }) => {
        missing(errOf(await api.listWorkFiles(name('none')), 'no deal'), 'deal');
      },
      'no deal, files',
    );

    for (const stranger of everyStranger) {
      define(
        '2.5/command/foreign-deal',
        async ({ api, [stranger]: view, dealV2 }) => {
          okOf(await api.createDealV2(dealV2), 'a deal');
          missing(errOf(await view.cancel(dealV2.partner_id), 'a stranger'), 'deal');
        },
        `${strangers[stranger]}, a command`,
      );

      define(
        '2.5/command/foreign-deal',
        async ({ api, [stranger]: view, dealV2 }) => {
          okOf(await api.createDealV2(dealV2), 'a deal');
          missing(errOf(await view.listWorkFiles(dealV2.partner_id), 'a stranger'), 'deal');
        },
        `${strangers[stranger]}, files`,
      );
    }

    for (const version of versions) {
      define(
        '2.7/command/replay',
        async (views) => {
          const { api, key, name } = views;
          const { partner_id } = await makeDeal(views, version);
          const first = okOf(await api.invite(partner_id, {}, key), 'invite');
          okOf(await api.cancel(partner_id), 'cancel');
          equal(okOf(await api.invite(partner_id, {}, key), 'again'), first, 'the first answer');
          const reused = await api.invite(partner_id, { message: 'Come.' }, key);
          plain(errOf(reused, 'with other input'), 'idempotency_key_reused');
          const another = await api.cancel(partner_id, {}, key);
          plain(errOf(another, 'another command'), 'idempotency_key_reused');
          const { partner_id: second } = await makeDeal(views, version, name('second'));
          const invited = okOf(await api.invite(second, {}, key), 'of another deal');
          equal([invited.partner_id, invited.status], [second, 'created'], 'it');
        },
        version,
      );

      define(
        '6.7/command/key-of-no-change',
        async (views) => {
          const { api, key } = views;
          const { partner_id } = await makeDeal(views, version);
          okOf(await api.invite(partner_id), 'invite');
          const repeated = okOf(await api.invite(partner_id, {}, key), 'a repeat');
          okOf(await api.cancel(partner_id), 'cancel');
          equal(okOf(await api.invite(partner_id, {}, key), 'again'), repeated, 'the first answer');
        },
        version,
      );

      define(
        '6.2/command/at-once',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          const twenty = Array.from({ length: 20 }, () => views.api.invite(partner_id));
          const all = await Promise.all(twenty);
          for (const each of all) {
            equal(stateOf(okOf(each, 'each')), 'created invited pending', 'the deal');
          }
        },
        `invite, ${version}`,
      );
    }

    define('2.7/command/refusal-not-kept', async (views) => {
      const { api, deal, file, key } = views;
      const id = await delivered(views);
      okOf(await api.requestChanges(deal.partner_id, { reason: 'More.' }), 'request-changes');
      errOf(await api.deliver(deal.partner_id, {}, key), 'without a file');
      okOf(await api.uploadFile({ id }, file), 'a file');
      okOf(await api.deliver(deal.partner_id, {}, key), 'the refusal was not kept');
    });

    define(
      '6.2/command/at-once',
      async (views) => {
        const { api, deal, file } = views;
        const { id } = await createDocumentedDeal(views);
        okOf(await api.uploadFile({ id }, file), 'a file');
        const all = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 2 === 0 ? api.deliver(deal.partner_id) : api.accept(deal.partner_id),
          ),
        );
        for (const each of all) okOf(each, 'each');
        const after = okOf(await api.retrieveDealDetails(deal.partner_id), 'the deal');
        equal(stateOf(after), 'delivered accepted submitted', 'the deal');
      },
      'deliver and accept, 1.0',
    );
  },
);
