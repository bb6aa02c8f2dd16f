import * as fc from 'fast-check';
import type { DealDetails, DealRetrieved, Outlook } from '../../src/api/answers.js';
import { dealInput, dealV2Input } from '../arbitraries.js';
import { textOf } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import { createDocumentedDeal, makeDeal, namesIn, versions } from './deals.js';
import { missing, told } from './errors.js';
import { everyStranger, group, strangers } from './subject.js';

const runs = { numRuns: 40 };

/** Names that are special in a path, in a query, or in a program. */
export const strangeNames: readonly string[] = [
  ...['', '.', '..', '...', '../x', 'a/b', '/', '//', '\\', 'by-id', 'a b', ' ', '%', '%2F', '%2e'],
  ...['%00', '\0', '?', '#', '?partner_id=x', '&', '+', ';', '*', 'ż', '😀', 'deal', '__proto__'],
  ...['null', '0', '\u2028', '\r\n', 'x'.repeat(41), '😀'.repeat(41)],
];

/** Amounts as they are sent, and their one form (decision 1.4). */
const amounts = [
  ['1', '1.00'],
  ['1.', '1.00'],
  ['.5', '0.50'],
  ['007.10', '7.10'],
  ['0.01', '0.01'],
  ['999999999999999999.99', '999999999999999999.99'],
] as const;
/** Those that version 1.0 alone allows. */
const notPositive = [
  ['0', '0.00'],
  ['-0', '0.00'],
  ['-.00', '0.00'],
  ['-.5', '-0.50'],
  ['-999999999999999999.99', '-999999999999999999.99'],
] as const;

/** Decision 4: a deal as it was created, for its partner alone. */
export const retrieving = group(
  'retrieving deals',
  {
    must: {
      '4/deal/as-created':
        'A deal of version 1.0 is retrieved by its id, with its fields as created, its status, its stage, its billing and its time.',
      '4/details/as-created':
        'The details of a deal of either version have its fields under the names of 2.0, its statuses, stage, billing and time.',
      '1.2/values-as-sent': 'A deal is given back as it was sent, and money in its one form.',
      '1.4/one-form':
        'Money is given back with two decimals, without superfluous zeros in front, and never as `-0.00`.',
      '2.6/budgets-of-stages':
        "The budgets of the stages of a deal sum to the deal's, to the cent.",
      '1.10/thirty-days': 'A deal of version 1.0 without `work_days` has 30.',
      '4/details/any-partner-id': 'A deal is found under any `partner_id` that it can have.',
      '4/not-found/other-names':
        'A name that no deal has is `not_found`, whatever it looks like: no other form of an id names the deal.',
      '2.5/foreign-deal': 'A deal of another tenant is answered as one that does not exist.',
      '2.1/own-deal-of-the-same-name':
        'Each tenant finds its own deal under the same `partner_id`.',
      '4/details/at-once': 'A deal is found as soon as its create is answered.',
    },
  },
  (define) => {
    define('4/deal/as-created', async (views) => {
      const { api, deal } = views;
      const { id, stage_ids } = await createDocumentedDeal(views);
      const { created_at, ...found } = okOf(await api.retrieveDeal(id), 'the deal');
      const stage = {
        work_days: deal.work_days,
        budget: deal.budget,
        status: 'pending',
        ...{ due_on: null, due_at: null },
        review_ends_at: null,
        agreed_amount: null,
        work_files: [],
      };
      equal(found.stages.length, 1, 'the number of stages');
      equal(
        found.stages.map(({ name: _, ...each }) => each),
        stage_ids.map((stage_id) => ({ id: stage_id, ...stage })),
        'the stages',
      );
      const { stages: _, ...members } = found;
      equal(
        members,
        {
          id,
          ...deal,
          status: 'created',
          agreed_amount: null,
          billing: unpaid('1000.00', 'EUR'),
          ...newOutlook(found, '1.0'),
        },
        'its other members',
      );
      check(isTime(created_at), 'created_at is RFC 3339 in UTC with milliseconds');
    });

    const common = {
      ...{ status: 'created', freelancer_status: 'new', agreed_amount: null },
      ...{ terms_version: 1, terms_sha256: null, proposal: null },
    };

    define(
      '4/details/as-created',
      async (views) => {
        const { api, deal } = views;
        const { id } = await createDocumentedDeal(views);
        const found = okOf(await api.retrieveDealDetails(deal.partner_id), 'the deal');
        const { stages, created_at } = okOf(await api.retrieveDeal(id), 'the deal by its id');
        const expected = {
          ...common,
          ...newOutlook(found, '1.0'),
          partner_id: deal.partner_id,
          api_version: '1.0',
          id,
          email_freelancer: deal.contractor_email,
          title: deal.name,
          description: deal.description,
          subcategory_id: deal.sub_category_id,
          amount: '1000.00',
          currency: 'EUR',
          copyright_transfer: null,
          freelancer_language: null,
          payment_token: null,
          stages,
          billing: unpaid('1000.00', 'EUR'),
          attention: [],
          created_at,
        };
        equal(found, expected, 'the deal under the names of 2.0');
      },
      '1.0',
    );

    define(
      '4/details/as-created',
      async ({ api, dealV2 }) => {
        const { payment_token } = okOf(await api.createDealV2(dealV2), 'a deal');
        const found = okOf(await api.retrieveDealDetails(dealV2.partner_id), 'the deal');
        const [stage, ...others] = found.stages;
        check(stage !== undefined && others.length === 0, 'it is worked as one stage');
        const { name, budget, work_days } = stage;
        equal([name, budget, work_days], [dealV2.title, '500.00', null], 'the stage');
        const expected = {
          ...common,
          ...newOutlook(found, '2.0'),
          ...dealV2,
          api_version: '2.0',
          payment_token,
          stages: found.stages,
          billing: unpaid('500.00', 'PLN'),
          attention: [],
          created_at: found.created_at,
        };
        equal(found, expected, 'the deal');
        check(isTime(found.created_at), 'created_at is RFC 3339 in UTC with milliseconds');
      },
      '2.0',
    );

    define(
      '1.2/values-as-sent',
      async ({ api, contractor, prefix, subcategory }) => {
        okOf(await api.registerContractor(contractor), 'the contractor');
        const seen = new Set<string>();
        const references = { email: contractor.email, prefix, subcategories: [subcategory] };
        const property = fc.asyncProperty(dealInput(references), async (input) => {
          if (seen.has(input.partner_id)) return;
          seen.add(input.partner_id);
          const { id } = okOf(await api.createDeal(input), 'a deal');
          const found = okOf(await api.retrieveDeal(id), 'the deal');
          const sent = { work_days: 30, ...input, budget: canonical(input.budget) };
          equal(found, { ...found, ...sent, id }, 'the deal');
          equal(found.billing, unpaid(sent.budget, sent.currency), 'its billing');
          checkStages(found);
        });
        await holds(property, runs);
      },
      '1.0',
    );

    define(
      '1.2/values-as-sent',
      async ({ api, prefix, subcategory }) => {
        const seen = new Set<string>();
        const references = { prefix, subcategories: [subcategory] };
        const property = fc.asyncProperty(dealV2Input(references), async (input) => {
          if (seen.has(input.partner_id)) return;
          seen.add(input.partner_id);
          okOf(await api.createDealV2(input), 'a deal');
          const details = okOf(await api.retrieveDealDetails(input.partner_id), 'the deal');
          const amount = canonical(input.amount);
          equal(details, { ...details, ...input, amount }, 'the deal');
          equal(details.billing, unpaid(amount, input.currency), 'its billing');
        });
        await holds(property, runs);
      },
      '2.0',
    );

    define(
      '1.4/one-form',
      async ({ api, contractor, deal, name }) => {
        okOf(await api.registerContractor(contractor), 'the contractor');
        for (const [index, [budget, form]] of [...amounts, ...notPositive].entries()) {
          const partner_id = name(`deal-${index}`);
          const { id } = okOf(await api.createDeal({ ...deal, partner_id, budget }), budget);
          equal(okOf(await api.retrieveDeal(id), budget).budget, form, `the form of ${budget}`);
        }
      },
      '1.0',
    );

    define(
      '1.4/one-form',
      async ({ api, dealV2, name }) => {
        for (const [index, [amount, form]] of amounts.entries()) {
          const partner_id = name(`deal-${index}`);
          okOf(await api.createDealV2({ ...dealV2, partner_id, amount }), amount);
          const found = okOf(await api.retrieveDealDetails(partner_id), amount);
          equal(found.amount, form, `the form of ${amount}`);
        }
      },
      '2.0',
    );

    for (const version of versions) {
      define(
        '2.6/budgets-of-stages',
        async (views) => {
          const { create, amount } = namesIn[version];
          const { input } = views.operations[create];
          const stages = await (await makeDeal(views, version)).stages();
          const cents = stages.map(({ budget }) => BigInt(budget.replace('.', '')));
          const whole = BigInt(String(Reflect.get(input, amount)).replace('.', ''));
          equal(
            cents.reduce((sum, each) => sum + each, 0n),
            whole,
            'the sum of the budgets',
          );
        },
        version,
      );
    }

    define('1.10/thirty-days', async ({ api, contractor, deal }) => {
      okOf(await api.registerContractor(contractor), 'the contractor');
      const { work_days: _, ...input } = deal;
      const { id } = okOf(await api.createDeal(input), 'a deal');
      const { work_days, stages } = okOf(await api.retrieveDeal(id), 'the deal');
      equal([work_days, ...stages.map((stage) => stage.work_days)], [30, 30], 'the days');
    });

    define('4/details/any-partner-id', async ({ api, dealV2, prefix }) => {
      const tokens = new Map<string, string>();
      const roundTrip = async (text: string) => {
        const partner_id = `${prefix}${text}`;
        if (tokens.has(partner_id)) return;
        const created = okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
        tokens.set(partner_id, created.payment_token);
      };
      const longest = 40 - prefix.length;
      const isName = (text: string) => !text.includes('\0') && [...text].length <= longest;
      for (const name of strangeNames.filter(isName)) await roundTrip(name);
      await holds(fc.asyncProperty(textOf(1, longest), roundTrip), { numRuns: 60 });
      for (const [partner_id, token] of tokens) {
        const found: DealDetails = okOf(await api.retrieveDealDetails(partner_id), partner_id);
        equal([found.partner_id, found.payment_token], [partner_id, token], 'its own deal');
      }
    });

    define(
      '4/not-found/other-names',
      async (views) => {
        const { api } = views;
        const { id } = await createDocumentedDeal(views);
        const ids: readonly unknown[] = [
          ...[0, -1, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 64, id + 0.5],
          ...[Number.MAX_SAFE_INTEGER, -id, '', '../x', 'a/b', '.', '..', 'by-id', 'a b', '%2F'],
          ...['ż', '😀', '1e0', `0${id}`, `+${id}`, ` ${id}`, `${id}/file`, 'x'.repeat(41), '0x1'],
          ...['\0', null, undefined, true, {}, [], 7n],
        ];
        for (const hostile of ids) {
          missing(errOf(await api.retrieveDeal(hostile as number), String(hostile)), 'deal');
        }
        const polish = await api.retrieveDeal(Number.MAX_SAFE_INTEGER, { language: 'pl' });
        missing(errOf(polish, 'in Polish'), 'deal', 'pl');
      },
      '1.0',
    );

    define(
      '4/not-found/other-names',
      async ({ api, dealV2, name }) => {
        const { partner_id } = dealV2;
        okOf(await api.createDealV2(dealV2), 'a deal');
        const alike = [partner_id.toUpperCase(), `${partner_id} `, ` ${partner_id}`];
        for (const each of [...strangeNames, ...alike]) {
          const result = await api.retrieveDealDetails(each);
          // others may have a deal of this name
          if (result.isOk()) equal(result.value.partner_id, each, 'a deal of this very name');
          else missing(result.error, 'deal');
        }
        const polish = await api.retrieveDealDetails(name('none'), { language: 'pl' });
        missing(errOf(polish, 'in Polish'), 'deal', 'pl');
      },
      '2.0',
    );

    for (const stranger of everyStranger) {
      define(
        '2.5/foreign-deal',
        async (views) => {
          const { [stranger]: view, deal } = views;
          const { id } = await createDocumentedDeal(views);
          const absent = errOf(await view.retrieveDeal(Number.MAX_SAFE_INTEGER), 'no deal');
          missing(absent, 'deal');
          const foreign = await view.retrieveDeal(id);
          // ids are unique in an environment: the other one may have this id too
          if (stranger === 'live' && foreign.isOk()) {
            check(foreign.value.partner_id !== deal.partner_id, 'it is another deal');
          } else {
            equal(
              told(errOf(foreign, "a stranger's deal")),
              told(absent),
              'nothing tells them apart',
            );
          }
        },
        `${strangers[stranger]}, 1.0`,
      );

      define(
        '2.5/foreign-deal',
        async ({ api, [stranger]: view, dealV2, name }) => {
          okOf(await api.createDealV2(dealV2), 'a deal');
          const absent = errOf(await view.retrieveDealDetails(name('none')), 'no deal');
          const foreign = errOf(await view.retrieveDealDetails(dealV2.partner_id), "a stranger's");
          missing(foreign, 'deal');
          equal(told(foreign), told(absent), 'nothing tells them apart');
        },
        `${strangers[stranger]}, 2.0`,
      );

      define(
        '2.1/own-deal-of-the-same-name',
        async ({ api, [stranger]: view, dealV2 }) => {
          okOf(await api.createDealV2(dealV2), 'a deal');
          const title = 'Their own';
          okOf(await view.createDealV2({ ...dealV2, title }), 'a deal of the same partner_id');
          for (const [each, expected] of [
            [api, dealV2.title],
            [view, title],
          ] as const) {
            const found = okOf(await each.retrieveDealDetails(dealV2.partner_id), 'the deal');
            equal(found.title, expected, 'each has its own');
          }
        },
        strangers[stranger],
      );
    }

    for (const version of versions) {
      define(
        '4/details/at-once',
        async (views) => {
          for (let index = 0; index < 10; index += 1) {
            const made = await makeDeal(views, version, views.name(`deal-${index}`));
            equal((await made.stages()).length, 1, 'the stages of the deal');
          }
        },
        version,
      );
    }
  },
);

/** The billing of a deal without payments. */
function unpaid(amount: string, currency: string): DealDetails['billing'] {
  const nothing = '0.00';
  return {
    currency,
    amount,
    employer_fee: nothing,
    total: amount,
    paid: nothing,
    refunded: nothing,
    released: nothing,
    // a budget below zero costs nothing
    outstanding: amount.startsWith('-') ? nothing : amount,
    held: nothing,
    fees: nothing,
    charged_back: nothing,
    loss: nothing,
    written_off: nothing,
    employer_payments: [],
    contractor_payments: [],
  };
}

/** How a new deal goes on; the host decides about names, and whether deals of 1.0 expire. */
function newOutlook(found: Outlook, version: '1.0' | '2.0'): Outlook {
  const { expires_at, partner_name } = found;
  const own = ['accept', 'decline', 'deliver'];
  const all = ['invite', 'accept', 'decline', 'cancel', 'deliver'];
  const legal = version === '1.0' ? all : all.filter((each) => !own.includes(each));
  check(version === '1.0' || (expires_at !== null && isTime(expires_at)), 'it expires');
  // a service without commands names none
  const named = found.legal.length === 0 ? [] : legal;
  const legal_proposals = found.legal_proposals.length === 0 ? [] : ['propose-amendment'];
  return { legal: named, legal_proposals, expires_at, partner_name };
}

/** Two decimals, no superfluous leading zeros, never `-0.00` (decision 1.4). */
function canonical(money: string): string {
  const [whole = '', fraction = ''] = money.replace('-', '').split('.');
  const text = `${whole.replace(/^0+(?=\d)/, '') || '0'}.${fraction.padEnd(2, '0')}`;
  return money.startsWith('-') && text !== '0.00' ? `-${text}` : text;
}

function checkStages({ stages, budget, work_days }: DealRetrieved): void {
  equal(
    stages.map((stage) => [stage.budget, stage.work_days, stage.status, stage.work_files]),
    [[budget, work_days, 'pending', []]],
    'one stage of the whole deal',
  );
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
