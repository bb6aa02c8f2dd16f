export { createGateway } from './create-gateway.js';
export type { GatewayOptions } from './options.js';
