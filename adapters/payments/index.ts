export { createManualGateway } from './manual-gateway.js';
export { createSandboxGateway } from './sandbox-gateway.js';
