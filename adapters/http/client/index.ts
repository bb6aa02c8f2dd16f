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
  type FreelancerClient,
  type FreelancerClientOptions,
} from './freelancer.js';
export { createOperatorClient } from './operator.js';
export { createReplayMemory, type ReplayMemoryOptions } from './replay-memory.js';
export { createSandboxClient } from './sandbox.js';
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
