import type { Wish } from './model-rules.js';
import type { Shape } from './states.js';

export const base: Shape = {
  version: '1.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: false,
};
export const accept: Wish = { name: 'accept', actor: 'freelancer' };
export const deliver: Wish = { name: 'deliver', actor: 'freelancer' };
export const approve: Wish = { name: 'approve', actor: 'partner' };
export const dispute: Wish = { name: 'dispute', actor: 'partner' };
export const cancel: Wish = { name: 'cancel', actor: 'operator' };
export const request: Wish = { name: 'request-payment', actor: 'partner' };
export const retry: Wish = { name: 'retry-payout', actor: 'operator' };
export const resolve = (agreed: bigint): Wish => ({ name: 'resolve', actor: 'operator', agreed });
export const ofEmployer = (report: Wish['report'] & object): Wish => ({
  name: 'record-employer-payment',
  actor: 'payments',
  report,
});
export const ofContractor = (report: Wish['report'] & object): Wish => ({
  name: 'record-contractor-payment',
  actor: 'payments',
  report,
});
export const asked = (status: string, reference: string): Wish =>
  ofEmployer({ payment: 0, status, reference });
export const payout = (status: string, reference: string, payment = 0): Wish =>
  ofContractor({ payment, status, reference });
/** Money that was not requested. */
export const came = (amount: bigint, reference: string): Wish =>
  ofEmployer({ status: 'paid', amount, reference });

export const toPayout = [accept, 101, deliver, approve, asked('paid', 'e1')];
export const toPayouts = [accept, 101, 102, deliver, approve, asked('paid', 'e1')];
export const two = { budgets: [100n, 100n] };
