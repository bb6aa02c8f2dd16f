export { createSealedSecrets } from './sealed-secrets.js';
export { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.js';
