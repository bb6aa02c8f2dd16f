import { formatMoney, fromMinorUnits } from '../values/money.js';
import { type Draft, dealEvent } from './draft.js';
import { isLive, least, most, post, processing, reserves, sum } from './ledger.js';
import { dueNow, outstanding, writtenOff } from './owed.js';

/** In place of a payment: whose decision a write-off was. */
type By = 'operator' | 'tolerance';

/** Takes an amount out of what the employer owes (decision 10.11). */
export function writeOff(draft: Draft, amount: bigint, by: By): void {
  post(draft, 'write_off', by, ['loss', 'loss'], amount);
}

/** Whether this decision writes something off. */
export const writesOff = ({ state, before }: Draft): boolean =>
  state.posting.slice(before.posting.length).some(({ kind }) => kind === 'write_off');

/** Money has come: the little that is still due is written off, in all up to the tolerance. */
export function tolerate(draft: Draft): void {
  const { state, books, tolerance = 0n } = draft;
  if (tolerance === 0n || state.deal.status === 'created') return;
  const balance = books.balance();
  const due = least(dueNow(state, balance), outstanding(state, balance));
  if (due === 0n || due > tolerance - books.of('tolerance').written_off) return;
  writeOff(draft, due, 'tolerance');
  const amount = formatMoney(fromMinorUnits(due));
  dealEvent(draft, 'deal.written_off', { reason: 'tolerance', amount });
}

/**
 * What payouts may use that no provider is paying out: the money that came and has not gone, and as
 * much as was written off.
 */
export function usable({ state, books }: Draft): bigint {
  const balance = books.balance();
  const left = balance.held - balance.loss;
  return left + writtenOff(state, balance) - processing(state, books);
}

/**
 * Brings the held money to what decision 10.23 says: what came and has not gone; more if payouts that
 * are planned use what was written off, or the provider is paying it out. Else held money makes up
 * for losses before it is used for anything else.
 */
export function makeUp(draft: Draft): void {
  const { state, before, books } = draft;
  const balance = books.balance();
  const { held, loss, written_off } = balance;
  const hasNewFees = state.deal.terms_version !== before.deal.terms_version;
  if (loss === 0n && written_off === 0n && !hasNewFees) return;
  const planned = state.contractor_payment.filter((each) => isLive(each) && each.status !== 'paid');
  const left = held - loss;
  const onCredit = least(sum(planned, reserves(state, books)), left + writtenOff(state, balance));
  const added = [left, onCredit, processing(state, books)].reduce(most) - held;
  const id = (state.employer_payment[0] ?? state.contractor_payment[0])?.id ?? '';
  post(draft, 'recovery', id, ['held', 'loss'], -added);
  post(draft, 'recovery', id, ['loss', 'held'], added);
}
