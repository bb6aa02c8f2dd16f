export type { Rate } from './buckets.js';
export { createRateLimiter, type RateLimiterOptions } from './rate-limiter.js';
export {
  createOperatorAuthenticator,
  createTokenAuthenticator,
  isApiToken,
} from './token-authenticator.js';
