import type {
  IssuedPaymentToken,
  PaymentTokenClaims,
  PaymentTokenIssuer,
  PaymentTokenVerdict,
  PortFailure,
  Tenant,
} from 'dealwright/ports';
import * as fc from 'fast-check';

/** The form of every payment token (decision 3). */
export const tokenForm = /^[A-Za-z0-9._~-]{22,2048}$/;

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const claims: PaymentTokenClaims = {
  partner_id: 'order-2',
  amount: '500.00',
  currency: 'PLN',
};

/** Any character that a store keeps: not a surrogate, not U+0000. */
const unit = fc
  .oneof(
    fc.integer({ min: 0x01, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));

/** Any valid partner, among them the longest and the widest. */
export function anyTenant(): fc.Arbitrary<Tenant> {
  const partner = fc.oneof(
    fc.string({ unit, minLength: 1, maxLength: 128 }).filter((text) => text.length <= 128),
    fc.constantFrom('a', '.', 's.', '\u0001'.repeat(128), '€'.repeat(128), '😀'.repeat(64)),
    fc.constantFrom('\ufeffacme', '"', '\\', 'zażółć gęślą jaźń', '__proto__'),
  );
  return fc.record(
    { environment: fc.constantFrom('production', 'sandbox'), partner },
    { noNullPrototype: true },
  );
}

/** Any valid deal: `partner_id` of 1 to 40 code points, three characters of currency. */
export function anyClaims(): fc.Arbitrary<PaymentTokenClaims> {
  const text = (minLength: number, maxLength: number) =>
    fc.oneof(
      fc.string({ unit, minLength, maxLength }),
      fc.constantFrom('\u0001', '€', '😀').map((each) => each.repeat(maxLength)),
    );
  return fc.record(
    {
      partner_id: text(1, 40),
      amount: fc.constantFrom('0.01', '500.00', `${'9'.repeat(18)}.99`),
      currency: text(3, 3),
    },
    { noNullPrototype: true },
  );
}

/** The token, or the failure: the test decides which one it expects. */
export async function issued(
  issuer: PaymentTokenIssuer,
  tenant: Tenant = acme,
  deal: PaymentTokenClaims = claims,
): Promise<string> {
  const result = await issuer.issue(tenant, deal);
  return result.isOk() ? result.value : JSON.stringify(result.error);
}

/** A token as the deal of `claims` holds it. */
export function heldBy(payment_token: string, issuedAt = Date.UTC(2026, 0, 1)): IssuedPaymentToken {
  return { ...claims, payment_token, issued_at: new Date(issuedAt).toISOString() };
}

/** The verdict, or the failure: the test decides which one it expects. */
export async function verdictOn(
  issuer: PaymentTokenIssuer,
  held: IssuedPaymentToken,
  tenant: Tenant = acme,
): Promise<PaymentTokenVerdict | PortFailure> {
  const result = await issuer.verify(tenant, held);
  return result.isOk() ? result.value : result.error;
}
