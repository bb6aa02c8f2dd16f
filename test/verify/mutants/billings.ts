import {
  bodied,
  command,
  dataOf,
  details,
  editing,
  listOf,
  nameOf,
  playingAt,
  type Tree,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

/** The reports of payments. */
export const employers = command('record-employer-payment');
export const contractors = command('record-contractor-payment');

/** Changes the billing of a deal. */
export const billed = (change: (billing: Tree, deal: Tree) => void) =>
  editing(details, (data) => change(Object(data['billing']), data));

/** Changes the payments of the employer, or those to the contractor. */
const payments = (name: string, change: (payment: Tree, all: readonly Tree[]) => unknown) =>
  billed((billing) => {
    const all = listOf(billing, name);
    for (const each of all) change(each, all);
  });
export const requests = (change: (payment: Tree, all: readonly Tree[]) => unknown) =>
  payments('employer_payments', change);
export const payouts = (change: (payment: Tree, all: readonly Tree[]) => unknown) =>
  payments('contractor_payments', change);

/** Reports of a status have other members. */
export const hearing = (fits: RegExp, from: string, to: object) =>
  bodied(fits, (body) => (body['status'] === from ? { ...body, ...to } : body));

/** The reports of these statuses are lost. */
export const lost = (fits: RegExp, ...statuses: readonly string[]) =>
  playingAt(fits, async (request, forward) => {
    const text = await request.clone().text();
    return statuses.some((each) => text.includes(`"${each}"`))
      ? Response.json({ data: await dataOf(request, forward) })
      : forward(request);
  });

/** The second report of a kind is held once more. */
export function countingTwice(fits: RegExp, kind: string): Mutant['fetch'] {
  let count = 0;
  return (forward) => async (request) => {
    if (fits.test(nameOf(request)) && (await request.clone().text()).includes(kind)) count += 1;
    return billed((billing) => {
      if (count > 1) billing['held'] = '200.08';
    })(forward)(request);
  };
}

/** Each report has a reference of its own. */
export const anew = (fits: RegExp) => {
  let count = 0;
  return bodied(fits, (body) => {
    count += 1;
    return { ...body, reference: `${body['reference']} ${count}` };
  });
};
