import type { Environment, Tenant } from 'dealwright';

/**
 * The caller, if the host knows it from a session or a key of its own: a partner, or an operator of
 * the host.
 */
export type HostCaller = Tenant | { readonly environment: Environment; readonly operator: true };

/** The caller that a host knows; without one, the header Authorization decides. */
type Known = HostCaller | undefined | null | false;

/** The host's answer for a request, at once or later. */
export type HostAnswer = Known | PromiseLike<Known>;

/** A request as plain data that every runtime has, read no earlier than it is needed. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  /** The target before a framework removed a prefix, if one did. */
  readonly originalTarget?: string | undefined;
  /** The caller, as the host knows it. Called once, for the paths that need it. */
  caller?(): HostAnswer;
  /** The address of the other end of the connection, if the runtime says it. */
  address?(): string | undefined;
  /** The value of a header, named in lower case; `host` is also the `:authority` of HTTP/2. */
  header(name: string): string | undefined;
  /**
   * The whole body, unless it has more than `limit` bytes or breaks off. Called once; it throws if
   * other code of the host has read the body before.
   */
  body(limit: number): Promise<Uint8Array | 'too_large' | 'aborted'>;
  /** Instead of `body`: the pieces, one at a time; it throws if the client goes away. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A response as plain data. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON, the content of a file piece by piece, or nothing (204, 304, and every answer to HEAD).
   * The headers of a file name its length; reading it throws if the store of files fails.
   */
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
}

/** The heart of the service: plain requests in, plain responses out. It never rejects. */
export interface Handler {
  handle(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Tells the host why an answer could not be sent, and returns the answer to send instead, if no
   * byte is out yet. `createNodeListener` and `createFetchHandler` call it. A handler that a host
   * wraps around another one passes it on; without it the client gets a 500 without a body, and
   * nobody is told.
   */
  sendFailed?(request: HttpRequest, failed: HttpResponse | undefined, cause: unknown): HttpResponse;
}
