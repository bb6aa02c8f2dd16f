import { isPaymentToken } from 'dealwright';
import {
  type PaymentTokenClaims,
  type PaymentTokenIssuer,
  type Tenant,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createRandomText } from './random-text.js';
import { askUntilAnswered, type Expected, givenVerdict, issuedToken } from './remote-call.js';
import { type RemoteTokenOptions, readOptions, type Settings } from './remote-settings.js';

/**
 * Has tokens issued and verified by another service, over this little protocol:
 *
 * - To issue: `POST` to `url` with `Authorization: Bearer <secret>`, `Content-Type:
 *   application/json`, `Accept: application/json` and `Idempotency-Key`, and the body
 *   `{"environment":"sandbox","partner":"acme","partner_id":"order-2","amount":"500.00","currency":"PLN"}`.
 * - Answer: 200 or 201 with `{"payment_token":"..."}`, 22 to 2048 characters of `A-Za-z0-9._~-` with
 *   at least 128 bits that nobody can guess, in a body of at most 16 KiB. Other members are ignored.
 * - To verify: `POST` to `verifyUrl` with the same headers, and the same body with `payment_token`
 *   and `issued_at` (RFC 3339) besides. Answer: 200 with `{"verdict":"valid"}`, `expired` or
 *   `invalid`. A verdict changes nothing: the same token may be asked about again and again.
 * - All attempts of one call carry the same `Idempotency-Key`: the service answers each with the
 *   same token, or with another and forgets the first; a token that no deal holds is nothing.
 *
 * An attempt that meets no answer within the time-out, a network error, 429 or 5xx is made again
 * after a random pause (full jitter, from 100 ms doubling up to `maxPause`) or after the time that
 * `Retry-After` asks for. Where that is longer than `maxPause`, and for every other answer, the
 * call ends as `unavailable`, with a `RemoteFailure` for its cause. Redirects are not followed, so
 * that the secret goes nowhere else. A call ends within `attempts * timeout + (attempts - 1) *
 * maxPause` milliseconds.
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
  const { url, verifyUrl } = settings;
  const randomText = createRandomText();
  const ask = async <T>(url: string, expected: Expected<T>, body: object) => {
    try {
      const request = requestOf(settings, randomText(16), body);
      return await askUntilAnswered(settings, url, request, expected);
    } catch (cause) {
      // of the clock or of `random`: nothing else throws, and neither knows what we send
      return unavailable({ outcome: 'none', cause });
    }
  };
  return {
    issue: (tenant, claims) => ask(url, issuedToken, bodyOf(tenant, claims)),
    verify(tenant, held) {
      const { payment_token, issued_at } = held;
      // what does not have the form of a token was never one of theirs: it is not sent
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
