import * as fc from 'fast-check';
import type { DealDetails, DealRetrieved } from '../../src/api/answers.js';
import { dealInput, dealV2Input } from '../arbitraries.js';
import { textOf } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import {
  contractor,
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  missing,
  told,
} from './subject.js';

const runs = { numRuns: 40 };

/** Names that no deal of these tests has; some are not valid as a `partner_id`. */
const strangeNames: readonly string[] = [
  ...['', '.', '..', '...', '../x', 'a/b', '/', '//', '\\', 'by-id', 'a b', ' ', '%', '%2F', '%2e'],
  ...['%00', '\0', '?', '#', '?partner_id=x', '&', '+', ';', '*', 'ż', '😀', 'deal', '__proto__'],
  ...['null', '0', '\u2028', '\r\n', 'x'.repeat(41), '😀'.repeat(41)],
];

/** Decision 4: a deal as it was created, for its partner alone. */
export function retrieving(define: DefineCase): void {
  define('retrieves the documented deal by its id', async ({ api }) => {
    const { id, stage_ids } = await createDocumentedDeal(api);
    const { created_at, ...found } = okOf(await api.retrieveDeal(id), 'the deal');
    const stage = {
      work_days: deal.work_days,
      budget: deal.budget,
      status: 'pending',
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
      },
      'its other members',
    );
    check(isTime(created_at), 'created_at is RFC 3339 in UTC with milliseconds');
  });

  define('gives the details of a deal of either version by its partner_id', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const input = { ...dealV2, partner_id: 'second' };
    const { payment_token } = okOf(await api.createDealV2(input), 'a 2.0 deal');
    const first = okOf(await api.retrieveDealDetails(deal.partner_id), 'the 1.0 deal');
    const second = okOf(await api.retrieveDealDetails('second'), 'the 2.0 deal');
    const common = { status: 'created', freelancer_status: 'new', agreed_amount: null };
    const [stage, ...others] = second.stages;
    check(stage !== undefined && others.length === 0, 'a 2.0 deal is worked as one stage');
    const { name, budget, work_days } = stage;
    equal([name, budget, work_days], ['Deal title', '500.00', null], 'the stage of the 2.0 deal');
    const ofFirst = {
      ...common,
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
      stages: okOf(await api.retrieveDeal(id), 'the 1.0 deal').stages,
      billing: unpaid('1000.00', 'EUR'),
      attention: [],
      created_at: first.created_at,
    };
    equal(first, ofFirst, 'the 1.0 deal under the names of 2.0');
    const ofSecond = {
      ...common,
      ...input,
      api_version: '2.0',
      payment_token,
      stages: second.stages,
      billing: unpaid('500.00', 'PLN'),
      attention: [],
      created_at: second.created_at,
    };
    equal(second, ofSecond, 'the 2.0 deal');
    check(isTime(first.created_at) && isTime(second.created_at), 'created_at is a time');
    check(second.created_at >= first.created_at, 'the second was not created before the first');
    const again = okOf(await api.retrieveDeal(id), 'the 1.0 deal by its id');
    equal(again.created_at, first.created_at, 'one deal was created at one time');
  });

  define('gives any deal back as it was given, money in its one form', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const seen = new Set<string>();
    const property = fc.asyncProperty(
      dealInput({ email: contractor.email }),
      dealV2Input(),
      async (input, inputV2) => {
        if (!seen.has(input.partner_id)) {
          seen.add(input.partner_id);
          const { id } = okOf(await api.createDeal(input), 'a 1.0 deal');
          const found = okOf(await api.retrieveDeal(id), 'the 1.0 deal');
          const given = { work_days: 30, ...input, budget: canonical(input.budget) };
          equal(found, { ...found, ...given, id }, 'the 1.0 deal');
          equal(found.billing, unpaid(given.budget, given.currency), 'its billing');
          checkStages(found);
        }
        if (seen.has(inputV2.partner_id)) return;
        seen.add(inputV2.partner_id);
        okOf(await api.createDealV2(inputV2), 'a 2.0 deal');
        const details = okOf(await api.retrieveDealDetails(inputV2.partner_id), 'the 2.0 deal');
        const amount = canonical(inputV2.amount);
        equal(details, { ...details, ...inputV2, amount }, 'the 2.0 deal');
        equal(details.billing, unpaid(amount, inputV2.currency), 'its billing');
      },
    );
    await holds(property, runs);
  });

  define('finds a deal under any partner_id there is', async ({ api }) => {
    const tokens = new Map<string, string>();
    const roundTrip = async (partner_id: string) => {
      if (tokens.has(partner_id)) return;
      const created = okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
      tokens.set(partner_id, created.payment_token);
    };
    const names = strangeNames.filter((name) => isName(name));
    for (const name of names) await roundTrip(name);
    await holds(fc.asyncProperty(textOf(1, 40), roundTrip), { numRuns: 60 });
    for (const [partner_id, token] of tokens) {
      const found: DealDetails = okOf(await api.retrieveDealDetails(partner_id), partner_id);
      equal([found.partner_id, found.payment_token], [partner_id, token], 'its own deal');
    }
  });

  define('finds no deal under any other name', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const ids: readonly unknown[] = [
      ...[0, -1, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 64, id + 1],
      ...[id + 0.5, -id, '', '../x', 'a/b', '.', '..', 'by-id', 'a b', '%2F', 'ż', '😀', '1e0'],
      ...[`0${id}`, `+${id}`, ` ${id}`, `${id}/file`, 'x'.repeat(41), '0x1', '\0'],
      ...[null, undefined, true, {}, [], 7n],
    ];
    for (const hostile of ids) {
      missing(errOf(await api.retrieveDeal(hostile as number), String(hostile)), 'deal');
    }
    const upper = deal.partner_id.toUpperCase();
    for (const name of [...strangeNames, upper, `${deal.partner_id} `, String(id)]) {
      missing(errOf(await api.retrieveDealDetails(name), name), 'deal');
    }
    const polish = { language: 'pl' } as const;
    missing(errOf(await api.retrieveDeal(id + 1, polish), 'in Polish'), 'deal', 'pl');
    missing(errOf(await api.retrieveDealDetails('none', polish), 'in Polish'), 'deal', 'pl');
  });

  define('does not find the deal of another partner', async ({ api, other, live }) => {
    const { id } = await createDocumentedDeal(api);
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a 2.0 deal');
    for (const view of [other, live]) {
      const absent = errOf(await view.retrieveDeal(id + 1000), 'a deal that nobody has');
      const foreign = errOf(await view.retrieveDeal(id), "somebody else's");
      missing(foreign, 'deal');
      equal(told(foreign), told(absent), 'nothing tells them apart');
      for (const name of [deal.partner_id, 'second']) {
        missing(errOf(await view.retrieveDealDetails(name), name), 'deal');
      }
    }
    for (const [index, view] of [other, live].entries()) {
      const title = `Their own ${index}`;
      okOf(await view.createDealV2({ ...dealV2, title }), 'a deal of the same partner_id');
      const found = okOf(await view.retrieveDealDetails(dealV2.partner_id), 'the deal');
      equal(found.title, title, 'each has its own');
    }
  });

  define('sees a deal as soon as it is created', async ({ api }) => {
    for (let index = 0; index < 10; index += 1) {
      const partner_id = `deal-${index}`;
      okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
      okOf(await api.retrieveDealDetails(partner_id), 'the deal');
    }
  });
}

/** The billing of a deal without payments. */
function unpaid(amount: string, currency: string): DealDetails['billing'] {
  const nothing = '0.00';
  return {
    currency,
    amount,
    paid: nothing,
    refunded: nothing,
    released: nothing,
    // a budget below zero costs nothing
    outstanding: amount.startsWith('-') ? nothing : amount,
    held: nothing,
    fees: nothing,
    charged_back: nothing,
    loss: nothing,
    employer_payments: [],
    contractor_payments: [],
  };
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

function isName(text: string): boolean {
  return text !== '' && !text.includes('\0') && [...text].length <= 40;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
