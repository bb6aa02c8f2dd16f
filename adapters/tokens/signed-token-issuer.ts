import {
  checkOptions,
  type IssuedPaymentToken,
  type PaymentTokenClaims,
  type PaymentTokenIssuer,
  type PaymentTokenVerdict,
  type PortFailure,
  type Tenant,
  type Timer,
  unavailable,
} from 'dealwright/ports';
import { SignJWT } from 'jose/jwt/sign';
import { err, ok, type Result } from 'neverthrow';
import { isLifetime } from '../shared/options.js';
import { createRandomText, encodeText } from './base64url.js';
import {
  joseKey,
  readTokenKey,
  rulesOfKey,
  type TokenKeyOptions,
  verifyingKeyOf,
} from './signing-key.js';
import { maxTokenLength, tenantOfPaymentToken } from './token-tenant.js';
import {
  claimsOfExpired,
  type SignedTokenClaims,
  type TokenVerifier,
  tokenType,
  verifierWith,
} from './token-verifier.js';

/** The options of signed tokens. */
export interface SignedTokenOptions extends TokenKeyOptions {
  /** Whole seconds that a token is valid; without it, it never expires. */
  readonly lifetime?: number;
  /** The issuer's name (`iss`). */
  readonly issuer?: string;
  /**
   * Further verifiers, asked in order if a token has another key: one for each earlier key whose
   * tokens are still in use. A `CryptoKey` that the runtime does not export for verifying (a
   * private one that is not extractable, a secret that may only sign) needs its own verifier.
   */
  readonly verifiers?: readonly TokenVerifier[];
  readonly timer: Timer;
}

/** 128 bits that cannot be guessed, even if the key of the signature leaked. */
const idSize = 16;

/**
 * Issues tokens that can be verified without a look-up: JWTs (compact JWS) with the claims `iss`,
 * `sub` (the `partner_id`), `environment`, `partner`, `amount`, `currency`, `iat`, `exp` (with a
 * lifetime) and `jti` (128 random bits). They are signed, not encrypted: every holder of a token
 * can read it. A valid signature proves what was issued; it grants nothing, since acting on a token
 * requires that the stored deal has it.
 *
 * `verify` checks a token by the rules of `createTokenVerifier`, and its claims against the deal:
 * tenant, `partner_id`, amount and currency. It needs no key of its own: a secret also verifies,
 * and of a private key the public part is used.
 *
 * Throws a `TypeError` if the key does not fit or cannot verify, or if `issuer` and `keyId` leave
 * too few of the 2048 characters that a token may have.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 * import { createSignedTokenIssuer, createTokenVerifier } from 'dealwright/tokens';
 *
 * const key = globalThis.crypto.getRandomValues(new Uint8Array(32));
 * const timer = createSystemTimer();
 * const paymentTokens = createSignedTokenIssuer({ key, lifetime: 3600, timer });
 * const verifier = createTokenVerifier({ key, timer });
 * ```
 */
export function createSignedTokenIssuer(given: SignedTokenOptions): PaymentTokenIssuer {
  const who = 'createSignedTokenIssuer';
  const options = Object(given) as SignedTokenOptions;
  const { timer, lifetime, issuer, keyId, verifiers = [] } = options;
  checkOptions(who, {
    ...rulesOfKey('sign', options),
    'timer.now is a function': typeof timer?.now === 'function',
    'lifetime is a whole number of seconds above 0': isLifetime(lifetime),
    'issuer is a text': issuer === undefined || typeof issuer === 'string',
    'keyId is a text': keyId === undefined || typeof keyId === 'string',
    'verifiers is a list of what createTokenVerifier makes':
      Array.isArray(verifiers) && verifiers.every((each) => typeof each?.verify === 'function'),
  });
  const signing = readTokenKey(options);
  const keyOf = verifyingKeyOf(signing);
  const all = [
    ...(keyOf === undefined ? [] : [verifierWith(options, signing.algorithm, keyOf)]),
    ...verifiers,
  ];
  const header = {
    alg: signing.algorithm,
    typ: tokenType,
    ...(keyId === undefined ? {} : { kid: keyId }),
  };
  const fixed = issuer === undefined ? {} : { iss: issuer };
  checkOptions(who, {
    'the key cannot verify: give the verifier of its tokens (verifiers)': all.length > 0,
    [`issuer and keyId are too long for ${maxTokenLength} characters`]:
      longestToken(header, fixed) <= maxTokenLength,
  });
  const randomText = createRandomText();
  return {
    async issue(tenant, claims) {
      try {
        const iat = Math.floor(timer.now() / 1000);
        const payload = { ...fixed, ...payloadOf(tenant, claims, iat, randomText(idSize)) };
        const exp = lifetime === undefined ? {} : { exp: iat + lifetime };
        const token = new SignJWT({ ...payload, ...exp }).setProtectedHeader(header);
        return ok(await token.sign(joseKey(signing)));
      } catch {
        // the runtime's error about a key must not be passed on
        const cause = Object.freeze({ reason: 'signing_failed' });
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
    },
    tenantOf: tenantOfPaymentToken,
    async verify(tenant, held) {
      try {
        return await judge(all, tenant, held);
      } catch {
        // a foreign verifier may throw an error with the token in it
        const cause = Object.freeze({ reason: 'verifying_failed' });
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
    },
  };
}

async function judge(
  verifiers: readonly TokenVerifier[],
  tenant: Tenant,
  held: IssuedPaymentToken,
): Promise<Result<PaymentTokenVerdict, PortFailure>> {
  const { payment_token: token } = held;
  for (const verifier of verifiers) {
    const verified = await verifier.verify(token);
    if (verified.isOk()) return ok(isOf(verified.value, tenant, held) ? 'valid' : 'invalid');
    const { error } = verified;
    if (error.code === 'unavailable') return err(error);
    if (error.reason === 'expired') {
      return ok(isOf(claimsOfExpired(token), tenant, held) ? 'expired' : 'invalid');
    }
  }
  return ok('invalid');
}

/** Whether the claims are those of the deal that has the token. */
function isOf(
  claims: SignedTokenClaims | undefined,
  { environment, partner }: Tenant,
  { partner_id, amount, currency }: PaymentTokenClaims,
): boolean {
  return (
    claims?.tenant.environment === environment &&
    claims.tenant.partner === partner &&
    claims.partner_id === partner_id &&
    claims.amount === amount &&
    claims.currency === currency
  );
}

function payloadOf(
  { environment, partner }: Tenant,
  { partner_id, amount, currency }: PaymentTokenClaims,
  iat: number,
  jti: string,
) {
  return { sub: partner_id, environment, partner, amount, currency, iat, jti };
}

/**
 * The greatest length of a token: JSON writes a control character with six characters, and no other
 * UTF-16 unit or code point takes more.
 */
function longestToken(header: object, fixed: object): number {
  const escaped = '\u0001';
  const tenant = { environment: 'production', partner: escaped.repeat(128) } as const;
  const claims = {
    partner_id: escaped.repeat(40),
    amount: `${'9'.repeat(18)}.99`,
    currency: escaped.repeat(3),
  };
  const exp = Number.MAX_SAFE_INTEGER;
  const payload = { ...fixed, ...payloadOf(tenant, claims, exp, 'x'.repeat(22)), exp };
  const lengths = [header, payload].map((part) => encodeText(JSON.stringify(part)).length + 1);
  const signature = 86;
  return lengths.reduce((sum, length) => sum + length, signature);
}
