import type { Environment } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** What is posted to an endpoint, by the Standard Webhooks specification (decision 7.2). */
export interface WebhookMessage {
  readonly url: string;
  /** `webhook-id`: the id of the event, the same for every attempt. */
  readonly id: string;
  /** `webhook-timestamp`: real time, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** JSON. */
  readonly body: string;
  /** It is signed with each of them, the newest first. */
  readonly secrets: readonly string[];
}

/** What came of an attempt to post a message. */
export type WebhookReply =
  | {
      readonly status_code: number;
      /** The first kilobyte of the response, as text. */
      readonly response: string;
    }
  | {
      /** Why there is no response, as a stable word. */
      readonly error: 'address_not_allowed' | 'connection_failed' | 'timeout' | 'invalid_response';
    };

/** What is wrong with the URL of an endpoint before anything is sent to it. */
export type WebhookUrlVerdict =
  | 'allowed'
  | 'invalid_url'
  | 'https_required'
  | 'address_not_allowed'
  | 'port_not_allowed';

/**
 * Posts signed messages to endpoints that partners name. An implementation protects the host's
 * network: it follows no redirect, and connects to no address that is not public (decision 7.4).
 */
export interface WebhookSender {
  /** Judges a URL by its text: what its name resolves to is checked at each connection. */
  check(environment: Environment, url: string): WebhookUrlVerdict;
  /**
   * The host name of a URL that is allowed, in one spelling: a partner has at most 100 webhooks with
   * one. Without this method it is read off the text of the URL.
   */
  hostOf?(url: string): string;
  /** A new signing secret: `whsec_` and base64. */
  createSecret(): string;
  /**
   * Posts a message once, within a time-out of its own. A response of any status is a reply; so is
   * a connection that fails. Only what the implementation itself cannot do is `unavailable`.
   */
  send(environment: Environment, message: WebhookMessage): Answer<WebhookReply>;
}
