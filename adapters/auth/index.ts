export { createRateLimiter, type RateLimiterOptions } from './rate-limiter.js';
export { createTokenAuthenticator, isApiToken } from './token-authenticator.js';
