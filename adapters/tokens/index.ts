export { createOpaqueTokenIssuer, type OpaqueTokenOptions } from './opaque-token-issuer.js';
export type { RemoteFailure, RemoteFailureReason } from './remote-call.js';
export type { RemoteTokenOptions } from './remote-settings.js';
export { createRemoteTokenIssuer } from './remote-token-issuer.js';
export { createSignedTokenIssuer, type SignedTokenOptions } from './signed-token-issuer.js';
export type { CryptoKeyLike, SigningAlgorithm, TokenKeyOptions } from './signing-key.js';
export { tenantOfPaymentToken } from './token-tenant.js';
export {
  createTokenVerifier,
  type InvalidToken,
  type InvalidTokenReason,
  type SignedTokenClaims,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.js';
