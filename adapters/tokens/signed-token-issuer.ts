import {
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
import { encodeText } from './base64url.js';
import { createRandomText } from './random-text.js';
import {
  joseKey,
  readTokenKey,
  type TokenKey,
  type TokenKeyOptions,
  verifyingKeyOf,
} from './signing-key.js';
import { checkLifetime } from './token-lifetime.js';
import { maxTokenLength, tenantOfPaymentToken } from './token-tenant.js';
import {
  claimsOfExpired,
  type SignedTokenClaims,
  type TokenVerifier,
  tokenType,
  verifierWith,
} from './token-verifier.js';

/** How signed tokens are made. */
export interface SignedTokenOptions extends TokenKeyOptions {
  /** Whole seconds that a token is valid; without it, it never expires. */
  readonly lifetime?: number;
  /** Who issues (`iss`). */
  readonly issuer?: string;
  /**
   * Who else verifies, asked in order where the key is not that of a token: a verifier for each
   * earlier key whose tokens are still out. A `CryptoKey` of which the runtime gives out nothing
   * that verifies (a private one that is not extractable, a secret that may only sign) needs its own.
   */
  readonly verifiers?: readonly TokenVerifier[];
  readonly timer: Timer;
}

/** 128 bits that nobody can guess, also where the signature is of a key that leaked. */
const idSize = 16;

/**
 * Issues tokens that can be verified without a look-up: JWTs (compact JWS) with the claims `iss`,
 * `sub` (the `partner_id`), `environment`, `partner`, `amount`, `currency`, `iat`, `exp` (where a
 * lifetime is set) and `jti` (128 random bits). They are signed, not encrypted: who holds a token
 * can read them. A signature that holds proves what was issued; it grants nothing, since acting on a
 * token requires that the stored deal holds it.
 *
 * `verify` holds a token to the rules of `createTokenVerifier` and its claims to the deal: tenant,
 * `partner_id`, amount and currency. It needs no key of its own: the secret verifies, and of a
 * private key the public part is taken.
 *
 * Throws a `TypeError` for a key that does not fit or that nobody could verify, or where `issuer`
 * and `keyId` leave too little of the 2048 characters that a token may have.
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
  const { timer, lifetime, issuer, keyId } = options;
  const signing = readTokenKey(who, 'sign', options);
  if (typeof timer?.now !== 'function') throw new TypeError(`${who}: timer is missing`);
  checkLifetime(who, lifetime);
  for (const [name, value] of Object.entries({ issuer, keyId })) {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`${who}: ${name} is a text, not ${typeof value}`);
    }
  }
  const verifiers = verifiersOf(who, options, signing);
  const header = {
    alg: signing.algorithm,
    typ: tokenType,
    ...(keyId === undefined ? {} : { kid: keyId }),
  };
  const fixed = issuer === undefined ? {} : { iss: issuer };
  if (longestToken(header, fixed) > maxTokenLength) {
    throw new TypeError(`${who}: issuer and keyId are too long for ${maxTokenLength} characters`);
  }
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
        // what the runtime says of a key is not for others to read
        const cause = Object.freeze({ reason: 'signing_failed' });
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
    },
    tenantOf: tenantOfPaymentToken,
    async verify(tenant, held) {
      try {
        return await judge(verifiers, tenant, held);
      } catch {
        // a verifier of somebody else's making may say the token when it throws
        const cause = Object.freeze({ reason: 'verifying_failed' });
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
    },
  };
}

function verifiersOf(
  who: string,
  { verifiers = [], ...options }: SignedTokenOptions,
  signing: TokenKey,
): readonly TokenVerifier[] {
  const isVerifier = (each: TokenVerifier) => typeof each?.verify === 'function';
  if (!Array.isArray(verifiers) || !verifiers.every(isVerifier)) {
    throw new TypeError(`${who}: verifiers is a list of what createTokenVerifier makes`);
  }
  const keyOf = verifyingKeyOf(signing);
  if (keyOf !== undefined) return [verifierWith(options, signing.algorithm, keyOf), ...verifiers];
  if (verifiers.length > 0) return [...verifiers];
  throw new TypeError(`${who}: the key cannot verify; give the verifier of its tokens (verifiers)`);
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

/** Whether the claims are those of the deal that holds the token. */
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
 * The length of the longest token there can be: JSON writes a control character with six, and
 * nothing takes more room than that for one UTF-16 unit or one code point.
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
