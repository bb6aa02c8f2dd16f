import { isPaymentToken } from 'dealwright';
import {
  type PaymentTokenClaims,
  type PaymentTokenIssuer,
  type Tenant,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createRandomText } from './base64url.js';
import { askUntilAnswered, type Expected, givenVerdict, issuedToken } from './remote-call.js';
import { type RemoteTokenOptions, readOptions, type Settings } from './remote-settings.js';

/**
 * Lets another service issue and verify tokens: it sends the deal with `Authorization: Bearer
 * <secret>` to `url`, which answers `{"payment_token":"..."}`, or to `verifyUrl`, which answers
 * `{"verdict":"valid"}`, `expired` or `invalid`. `docs/how-to/issue-payment-tokens.md` has the
 * whole protocol. All attempts of one call carry the same `Idempotency-Key`.
 *
 * An attempt is repeated after a time-out, a network error, 429 or 5xx: after a random pause (full
 * jitter, from 100 ms doubling up to `maxPause`) or after the time that `Retry-After` asks for. If
 * that is longer than `maxPause`, and for every other answer, the call ends as `unavailable`, with
 * a `RemoteFailure` as cause. Redirects are not followed, so that the secret goes nowhere else. A
 * call ends within `attempts * timeout + (attempts - 1) * maxPause` milliseconds.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 * import { createRemoteTokenIssuer } from 'dealwright/tokens';
 *
 * const paymentTokens = createRemoteTokenIssuer({
 *   url: 'https://payments.example.com/tokens',
 *   verifyUrl: 'https://payments.example.com/tokens/verify',
 *   secret: 'a-secret-from-the-environment',
 *   timer: createSystemTimer(),
 * });
 * ```
 */
export function createRemoteTokenIssuer(options: RemoteTokenOptions): PaymentTokenIssuer {
  const settings = readOptions(options);
  const { url, verifyUrl, tenantOf } = settings;
  const randomText = createRandomText();
  const ask = async <T>(url: string, expected: Expected<T>, body: object) => {
    try {
      const request = requestOf(settings, randomText(16), body);
      return await askUntilAnswered(settings, url, request, expected);
    } catch (cause) {
      // an error of the clock or of `random`: nothing else throws, and neither knows the request
      return unavailable({ outcome: 'none', cause });
    }
  };
  return {
    issue: (tenant, claims) => ask(url, issuedToken, bodyOf(tenant, claims)),
    tenantOf,
    verify(tenant, held) {
      const { payment_token, issued_at } = held;
      // a text without the form of a token was never issued: it is not sent
      if (!isPaymentToken(payment_token)) return ok('invalid');
      return ask(verifyUrl, givenVerdict, { ...bodyOf(tenant, held), payment_token, issued_at });
    },
  };
}

function bodyOf(
  { environment, partner }: Tenant,
  { partner_id, amount, currency }: PaymentTokenClaims,
) {
  return { environment, partner, partner_id, amount, currency };
}

function requestOf({ secret }: Settings, idempotencyKey: string, body: object): RequestInit {
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
    redirect: 'manual',
  };
}
