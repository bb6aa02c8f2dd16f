import type { DomainEvent } from 'dealwright';

/** The event of a test of a webhook. It is in no feed. */
export interface WebhookTestEvent extends Omit<DomainEvent, 'type' | 'data'> {
  readonly type: 'webhook.test';
  readonly data: { readonly webhook_id: string };
}

/** The event in a message: one of the feed, or a test. `type` tells them apart. */
export type WebhookEvent = DomainEvent | WebhookTestEvent;

/**
 * The headers of a request: a `Headers`, a map, or an object by their names, in any case. A value is
 * a text, a list of one, or as in Lambda@Edge a list of one `{ key, value }`.
 */
export type WebhookHeaders =
  | { get(name: string): string | readonly string[] | null | undefined }
  | Readonly<Record<string, string | readonly (string | { readonly value: string })[] | undefined>>;

/**
 * A received request: its headers and raw body from a framework or a serverless host, or an unread
 * `Request`.
 */
export type WebhookRequest =
  | {
      readonly headers: WebhookHeaders;
      /**
       * The raw text or bytes, before any parser of JSON; of Lambda@Edge the object with `data` and
       * `encoding` (`base64` or `text`).
       */
      readonly body?:
        | string
        | Uint8Array
        | { readonly data: string; readonly encoding: string }
        | null
        | undefined;
      /** The raw body beside a parsed one: it is taken in place of `body`. */
      readonly rawBody?: string | Uint8Array | null | undefined;
      /** Says that the text of `body` is base64, as in an event of API Gateway. */
      readonly isBase64Encoded?: boolean | undefined;
    }
  | {
      readonly headers: { get(name: string): string | null };
      /** The stream of a `Request`. */
      readonly body: WebhookStream | null;
      readonly bodyUsed: boolean;
      arrayBuffer(): PromiseLike<ArrayBuffer>;
    };

/** The part of a `ReadableStream` of bytes that is needed to read it. */
export interface WebhookStream {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): PromiseLike<unknown>;
  };
}

/** Remembers the messages that came, while they would be accepted again. */
export interface ReplayMemory {
  /**
   * Whether the key is new. After that it is not new, at least until `untilSeconds` (seconds since
   * 1970). The answer has to be right for concurrent calls too.
   */
  isFirst(key: string, untilSeconds: number): boolean | PromiseLike<boolean>;
}

/** The options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** Refuses a message that came before. Without it, a replay is accepted for five minutes. */
  readonly replays?: ReplayMemory;
}

/** Why a request is not a message to act on. */
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

/** Plain data: a code, a message for the developer of the receiver, and the status to answer. */
export interface VerifyWebhookError {
  readonly code: VerifyWebhookErrorCode;
  readonly message: string;
  /** The HTTP status to answer with: 400, or 500 and 503 if the fault is the receiver's own. */
  readonly status: 400 | 500 | 503;
}
