import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** The message posted to a webhook, by the Standard Webhooks specification (decision 7.2). */
export interface WebhookMessage {
  readonly url: string;
  /** `webhook-id`: the id of the event, the same for every attempt. */
  readonly id: string;
  /** `webhook-timestamp`: real time, in whole seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** JSON. */
  readonly body: string;
  /** The message is signed with each of them, the newest first. */
  readonly secrets: readonly string[];
}

/** The result of an attempt to post a message. */
export type WebhookReply =
  | {
      readonly status_code: number;
      /** The first kilobyte of the response, as text. */
      readonly response: string;
    }
  | {
      /** Why there is no response, as a stable code. */
      readonly error: 'address_not_allowed' | 'connection_failed' | 'timeout' | 'invalid_response';
    };

/** The verdict on the URL of a webhook, before anything is sent to it. */
export type WebhookUrlVerdict =
  | 'allowed'
  | 'invalid_url'
  | 'https_required'
  | 'address_not_allowed'
  | 'port_not_allowed';

/**
 * Posts signed messages to the URLs of webhooks. An implementation protects the host's
 * network: it follows no redirect, and connects to no address that is not public (decision 7.4).
 */
export interface WebhookSender {
  /** Judges a URL by its text: the addresses of its name are checked at each connection. */
  check(environment: Environment, url: string): WebhookUrlVerdict;
  /**
   * The host name of an allowed URL, in one spelling: a partner has at most 100 webhooks with the
   * same. Without this method it is taken from the text of the URL.
   */
  hostOf?(url: string): string;
  /** A new signing secret: `whsec_` and base64. */
  createSecret(): string;
  /**
   * Posts a message once, within its own time-out. A response of any status is a reply; so is a
   * failed connection. Only a failure of the implementation itself is `unavailable`.
   */
  send(environment: Environment, message: WebhookMessage): Answer<WebhookReply>;
}

/**
 * Keeps secrets that have to be read again, such as those that sign webhooks: a store gets only the
 * sealed text. It encrypts them, or keeps them somewhere else and gives a name.
 */
export interface SecretKeeper {
  /** A text that stands for the secret without revealing it. */
  seal(tenant: Tenant, secret: string): Answer<string>;
  /** The secret that was sealed for this tenant. */
  open(tenant: Tenant, sealed: string): Answer<string>;
}
