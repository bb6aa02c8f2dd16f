import type { Tenant } from '../../src/domain/values/tenant.js';
import { formatTimestamp } from '../../src/domain/values/timestamp.js';
import type { Answer } from '../../src/ports/answer.js';
import type {
  IssuedPaymentToken,
  PaymentTokenClaims,
  PaymentTokenIssuer,
  PaymentTokenVerdict,
} from '../../src/ports/payment-token-issuer.js';
import { check, equal, show } from '../expectations.js';
import { groupsOf } from '../laws.js';
import type { ManualClock } from '../manual-clock.js';

/**
 * The subject of the suite of payment token issuers, made for each case.
 */
export interface PaymentTokenIssuerSubject {
  readonly issuer: PaymentTokenIssuer;
  /** The same issuer as another process makes it: with the same keys, or over the same service. */
  restarted(): PaymentTokenIssuer | PromiseLike<PaymentTokenIssuer>;
  /** Whether a token is `invalid` for another deal of the same tenant. */
  readonly bindsDeals: boolean;
  /** The clock that the issuer reads, if it reads any: the suite reads it and moves it. */
  readonly timer: ManualClock;
  /** Whole seconds that a token is valid; without it, tokens never expire. */
  readonly lifetime?: number;
  close(): PromiseLike<void>;
}

/** Makes a group of laws about issuers of payment tokens. */
export const group = groupsOf<PaymentTokenIssuerSubject>();

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
export const acmeLive: Tenant = { environment: 'production', partner: 'acme' };

export const deal: PaymentTokenClaims = {
  partner_id: 'order-2',
  amount: '500.00',
  currency: 'PLN',
};

/** The value of an answer, which must be a success; an error does not show it. */
async function ask<T>(answer: Answer<T>): Promise<T> {
  const result = await answer;
  check(result.isOk(), result.isErr() ? `the issuer failed: ${show(result.error)}` : '');
  return result.value;
}

/** A token, with the deal that it is stored in at the same moment. */
export async function issue(
  { issuer, timer }: PaymentTokenIssuerSubject,
  tenant: Tenant = acme,
  claims: PaymentTokenClaims = deal,
): Promise<IssuedPaymentToken> {
  const issued_at = formatTimestamp(timer.now());
  return { ...claims, payment_token: await ask(issuer.issue(tenant, claims)), issued_at };
}

/** Fails the case unless the issuer gives this verdict. */
export async function expectVerdict(
  expected: PaymentTokenVerdict,
  issuer: PaymentTokenIssuer,
  tenant: Tenant,
  held: IssuedPaymentToken,
  what: string,
): Promise<void> {
  equal(await ask(issuer.verify(tenant, held)), expected, `the verdict on ${what}`);
}
