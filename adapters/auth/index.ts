export { createRateLimiter, type RateLimiterOptions } from './rate-limiter.js';
export { createTokenAuthenticator } from './token-authenticator.js';
