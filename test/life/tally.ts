import type { PartnerApi } from 'dealwright';
import { balanceOf, type DealState } from 'dealwright/life';
import { cents } from './invariants.js';
import { money } from './states.js';

/** 10.7: what the events of a deal say in all, for those who add them up. */
export interface Tally {
  paid: bigint;
  refunded: bigint;
  charged_back: bigint;
  released: bigint;
}

/** The events that move money: to which sum each counts, and which way. */
const counted: Readonly<Record<string, readonly [keyof Tally, 1n | -1n]>> = {
  'employer_payment.paid': ['paid', 1n],
  'employer_payment.voided': ['paid', -1n],
  'employer_payment.refunded': ['refunded', 1n],
  'employer_payment.refund_failed': ['refunded', -1n],
  'employer_payment.charged_back': ['charged_back', 1n],
  'employer_payment.charge_back_reversed': ['charged_back', -1n],
  'contractor_payment.paid': ['released', 1n],
  'contractor_payment.returned': ['released', -1n],
};

export const emptyTally = (): Tally => ({ paid: 0n, refunded: 0n, charged_back: 0n, released: 0n });

/** Adds the amount of an event. */
export function addTo(tally: Tally, { type, data }: { type: string; data: object }): void {
  const [sum, sign] = counted[type] ?? [];
  if (sum !== undefined) tally[sum] += (sign ?? 0n) * cents(String(Reflect.get(data, 'amount')));
}

/** Compares what was told with the books. */
export function wrongTally(
  tally: Tally,
  { posting }: Pick<DealState, 'posting'>,
): string | undefined {
  const { paid, refunded, charged_back, released } = balanceOf(posting);
  const says = (of: Tally) =>
    [of.paid, of.refunded, of.charged_back, of.released].map(money).join(', ');
  const books = { paid, refunded, charged_back, released };
  if (says(tally) === says(books)) return undefined;
  return `paid, refunded, charged back, released: the events say ${says(tally)}, the books ${says(books)}`;
}

/** What the events of a deal say in all, as its partner reads them. */
export async function tallyOf(api: Pick<PartnerApi<never>, 'listDealEvents'>, partner_id: string) {
  const tally = emptyTally();
  for (let query: { page_size: number; after?: string } = { page_size: 100 }; ; ) {
    const page = (await api.listDealEvents(partner_id, query))._unsafeUnwrap();
    for (const event of page.results) addTo(tally, event);
    if (page.results.length < 100) return tally;
    query = { page_size: 100, after: page.next };
  }
}
