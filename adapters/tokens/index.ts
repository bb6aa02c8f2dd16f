export { createOpaqueTokenIssuer } from './opaque-token-issuer.js';
export { tenantOfPaymentToken } from './tenant-prefix.js';
