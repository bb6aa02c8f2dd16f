export type {
  ClientCallOptions,
  ClientFileUpload,
  ClientReadOptions,
  ClientUploadOptions,
  DealwrightClient,
  ExchangeReport,
  UploadProgress,
} from './client-api.js';
export { createClient } from './create-client.js';
export { eachEvent, eachEventPage, type FollowOptions } from './each-event.js';
export { eachDeal, eachPage } from './each-page.js';
export type {
  AbortSignalLike,
  BlobLike,
  BodyLike,
  FetchLike,
  RequestLike,
  ResponseLike,
  StreamLike,
} from './fetch-like.js';
export {
  createFreelancerClient,
  createOperatorClient,
  createSandboxClient,
  type FreelancerClient,
  type FreelancerClientOptions,
} from './other-faces.js';
export { createReplayMemory, type ReplayMemoryOptions } from './replay-memory.js';
export type { ClientOptions } from './settings.js';
export { verifyWebhook } from './verify-webhook.js';
export type {
  ReplayMemory,
  VerifyWebhookError,
  VerifyWebhookErrorCode,
  VerifyWebhookOptions,
  WebhookEvent,
  WebhookHeaders,
  WebhookRequest,
  WebhookStream,
  WebhookTestEvent,
} from './webhook-types.js';
