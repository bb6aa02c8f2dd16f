export { createManualGateway, createSandboxGateway } from './gateways.js';
