import { isTenant } from 'dealwright';
import {
  checkOptions,
  type PaymentTokenClaims,
  type PortFailure,
  type Tenant,
  type Timer,
  unavailable,
} from 'dealwright/ports';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { type JWTVerifyOptions, jwtVerify } from 'jose/jwt/verify';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { decodeBytes } from './base64url.js';
import {
  type JoseKey,
  joseKey,
  readTokenKey,
  rulesOfKey,
  type SigningAlgorithm,
  type TokenKeyOptions,
} from './signing-key.js';
import { maxTokenLength } from './token-tenant.js';

/**
 * The type that distinguishes these tokens from other JWTs signed with the same key (RFC 8725,
 * 3.11).
 */
export const tokenType = 'payment-token+jwt';

/**
 * The rules for a signed token. `key` is the secret of HS256 or the public key of EdDSA and ES256.
 */
export interface TokenVerifierOptions extends TokenKeyOptions {
  /** The required issuer of the token; without it, any that has the key. */
  readonly issuer?: string;
  readonly timer: Timer;
}

/** The claims of a signed token; times are milliseconds of the clock. */
export interface SignedTokenClaims extends PaymentTokenClaims {
  readonly tenant: Tenant;
  readonly id: string;
  readonly issuedAt: number;
  readonly expiresAt?: number;
}

/** Why a token is not valid. It contains nothing of the token. */
export interface InvalidToken {
  readonly code: 'invalid_token';
  readonly reason: InvalidTokenReason;
  readonly message: string;
}

/**
 * `malformed`: not a signed payment token at all; `wrong_algorithm`, `wrong_key` and
 * `wrong_issuer`: of another algorithm, `keyId` or issuer than the verifier's; `wrong_signature`:
 * not signed with this key, or changed since; `expired`: its lifetime is over.
 */
export type InvalidTokenReason = keyof typeof messages;

const messages = {
  malformed: 'This is not a signed payment token.',
  wrong_algorithm: 'The token is signed with another algorithm.',
  wrong_key: 'The token names another key.',
  wrong_signature: 'The signature of the token is wrong.',
  wrong_issuer: 'The token is of another issuer.',
  expired: 'The token has expired.',
};

/** Verifies signed payment tokens. */
export interface TokenVerifier {
  /**
   * The claims of the token, if it was issued with the key and has not expired. They prove what was
   * issued and grant nothing: acting on a token requires that the stored deal has it. If the clock
   * or the cryptography of the runtime fails, it is `unavailable`, which is no verdict on the
   * token.
   */
  verify(token: string): ResultAsync<SignedTokenClaims, InvalidToken | PortFailure>;
}

/**
 * Makes the verifier that belongs to `createSignedTokenIssuer`. Its one algorithm is that of its
 * key: the algorithm in the token is compared, never trusted. While keys change, keep one verifier
 * for each `keyId`, and use the next one if one answers `wrong_key`.
 *
 * Throws a `TypeError` for a key that does not fit.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 * import { createTokenVerifier } from 'dealwright/tokens';
 *
 * const key = globalThis.crypto.getRandomValues(new Uint8Array(32));
 * const verifier = createTokenVerifier({ key, timer: createSystemTimer() });
 * const verified = await verifier.verify('s.YWNtZQ.3q2-7w');
 * if (verified.isErr() && verified.error.code === 'invalid_token') {
 *   console.log(verified.error.reason); // malformed
 * }
 * ```
 */
export function createTokenVerifier(given: TokenVerifierOptions): TokenVerifier {
  const options = Object(given) as TokenVerifierOptions;
  checkOptions('createTokenVerifier', {
    ...rulesOfKey('verify', options),
    'timer.now is a function': typeof options.timer?.now === 'function',
  });
  const verifying = readTokenKey(options);
  return verifierWith(options, verifying.algorithm, () => joseKey(verifying));
}

/** The one place where tokens are judged, with a key that is read when it is needed. */
export function verifierWith(
  { timer, issuer, keyId }: Omit<TokenVerifierOptions, 'key'>,
  algorithm: SigningAlgorithm,
  keyOf: () => JoseKey | Promise<JoseKey>,
): TokenVerifier {
  const rules: JWTVerifyOptions = {
    algorithms: [algorithm],
    typ: tokenType,
    ...(issuer === undefined ? {} : { issuer }),
  };

  async function verify(token: string): Promise<Verified> {
    if (!isCompact(token)) return err(invalidToken('malformed'));
    try {
      if (keyId !== undefined) {
        const header = headerOf(token);
        if (header === undefined) return err(invalidToken('malformed'));
        if (header.kid !== keyId) return err(invalidToken('wrong_key'));
      }
      const currentDate = new Date(timer.now());
      const { payload } = await jwtVerify(token, await keyOf(), { ...rules, currentDate });
      return readClaims(payload);
    } catch (error) {
      const reason = reasonOf(error);
      return reason === undefined
        ? unavailable({ outcome: 'none', cause: error })
        : err(invalidToken(reason));
    }
  }

  return { verify: (token) => new ResultAsync(verify(token)) };
}

type Verified = Result<SignedTokenClaims, InvalidToken | PortFailure>;

function invalidToken(reason: InvalidTokenReason): InvalidToken {
  return Object.freeze({ code: 'invalid_token', reason, message: messages[reason] });
}

/**
 * Three parts in the one spelling of base64url: the spare bits of a signature's last letter are not
 * signed, and a token that differs only in them would verify.
 */
function isCompact(token: unknown): token is string {
  if (typeof token !== 'string' || token.length > maxTokenLength) return false;
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => part !== '' && decodeBytes(part));
}

/** jose throws a plain `TypeError` for an invalid header: it has no code to recognize it by. */
function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

/** The errors of jose by their stable codes. */
const reasons: Readonly<Record<string, InvalidTokenReason>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'wrong_algorithm',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'wrong_signature',
  ERR_JWT_EXPIRED: 'expired',
};

/** Every other error of jose is about the form of the token; any other error is not about it. */
function reasonOf(error: unknown): InvalidTokenReason | undefined {
  const { code, claim } = Object(error) as { readonly code?: unknown; readonly claim?: unknown };
  if (typeof code !== 'string' || !code.startsWith('ERR_J')) return undefined;
  return claim === 'iss' ? 'wrong_issuer' : (reasons[code] ?? 'malformed');
}

/** The claims of an expired token with a valid signature. */
export function claimsOfExpired(token: string): SignedTokenClaims | undefined {
  return readClaims(decodeJwt(token)).unwrapOr(undefined);
}

/** The key may have signed something else: then these are not our claims. */
function readClaims(
  payload: Readonly<Record<string, unknown>>,
): Result<SignedTokenClaims, InvalidToken> {
  const { sub, environment, partner, amount, currency, iat, exp, jti } = payload;
  const tenant = { environment, partner };
  if (
    !isTenant(tenant) ||
    typeof sub !== 'string' ||
    typeof amount !== 'string' ||
    typeof currency !== 'string' ||
    typeof jti !== 'string' ||
    typeof iat !== 'number'
  ) {
    return err(invalidToken('malformed'));
  }
  return ok({
    tenant,
    partner_id: sub,
    amount,
    currency,
    id: jti,
    issuedAt: iat * 1000,
    ...(typeof exp === 'number' ? { expiresAt: exp * 1000 } : {}),
  });
}
