export type { Rate } from './rate-limiter.js';
export { createRateLimiter, type RateLimiterOptions } from './rate-limiter.js';
export {
  createOperatorAuthenticator,
  createTokenAuthenticator,
  isApiToken,
} from './token-authenticator.js';
