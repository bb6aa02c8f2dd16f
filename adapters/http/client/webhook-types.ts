import type { DomainEvent } from 'dealwright';

/** What a test of a webhook posts. It is in no feed. */
export interface WebhookTestEvent extends Omit<DomainEvent, 'type' | 'data'> {
  readonly type: 'webhook.test';
  readonly data: { readonly webhook_id: string };
}

/** What a webhook posts: an event as it is in the feed, or a test. `type` tells them apart. */
export type WebhookEvent = DomainEvent | WebhookTestEvent;

/** The headers of a request: a `Headers`, or those of Node, by their names in lower case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that was received: what a framework has of it, or a `Request` that nobody has read. */
export type WebhookRequest =
  | {
      readonly headers: WebhookHeaders;
      /** As it came: the text or the bytes, before any parser of JSON. */
      readonly body: string | Uint8Array;
    }
  | {
      readonly headers: { get(name: string): string | null };
      /** The stream of a `Request`. */
      readonly body: WebhookStream | null;
      readonly bodyUsed: boolean;
      arrayBuffer(): PromiseLike<ArrayBuffer>;
    };

/** As much of a `ReadableStream` of bytes as it takes to read it. */
export interface WebhookStream {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): PromiseLike<unknown>;
  };
}

/** Remembers the messages that came, for as long as they would be accepted again. */
export interface ReplayMemory {
  /**
   * Whether the key is new. From then on it is not, up to `untilSeconds` (seconds since 1970) at
   * least. The answer has to be right for calls at the same time too.
   */
  isFirst(key: string, untilSeconds: number): boolean | PromiseLike<boolean>;
}

/** What else is asked of a webhook. */
export interface VerifyWebhookOptions {
  /** Refuses a message that came before. Without it, one is accepted for five minutes. */
  readonly replays?: ReplayMemory;
}

/** Why a request is not a webhook to act on. */
export type VerifyWebhookErrorCode =
  | 'invalid_webhook_secret'
  | 'invalid_webhook_headers'
  | 'invalid_webhook_body'
  | 'invalid_webhook_signature'
  | 'invalid_webhook_event'
  | 'webhook_too_old'
  | 'webhook_too_new'
  | 'webhook_replayed'
  | 'webhook_replays_unavailable';

/** Plain data: a code, a message for the developer of the receiver, and what to answer with. */
export interface VerifyWebhookError {
  readonly code: VerifyWebhookErrorCode;
  readonly message: string;
  /** The HTTP status to answer with: 400, or 500 and 503 where the fault is the receiver's own. */
  readonly status: 400 | 500 | 503;
}
