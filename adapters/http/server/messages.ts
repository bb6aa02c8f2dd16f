import type { Environment, Tenant } from 'dealwright';

/**
 * Who calls, where the host knows it from a session or a key of its own: a partner, or somebody of
 * an operator of the host.
 */
export type HostCaller = Tenant | { readonly environment: Environment; readonly operator: true };

/** Whom a host knows: nobody leaves it to the header Authorization. */
type Known = HostCaller | undefined | null | false;

/** What a host says of a request, at once or later. */
export type HostAnswer = Known | PromiseLike<Known>;

/** A request as plain data: what every runtime has, read no earlier than it is needed. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  /** The same before a framework took a prefix from it, where one did. */
  readonly originalTarget?: string | undefined;
  /** Who calls, as the host knows it. Asked once, for the paths that need it. */
  caller?(): HostAnswer;
  /** The address of the other end of the connection, where the runtime says it. */
  address?(): string | undefined;
  /** The value of a header, named in lower case; `host` also where HTTP/2 names it otherwise. */
  header(name: string): string | undefined;
  /**
   * The whole body, unless it has more than `limit` bytes or breaks off. Asked for once; it throws
   * where somebody else has read the body before.
   */
  body(limit: number): Promise<Uint8Array | 'too_large' | 'aborted'>;
  /** Instead of `body`: piece by piece, as asked for; it throws where the client goes away. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A response as plain data. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON, the content of a file piece by piece, or nothing (204, 304, and every answer to HEAD).
   * A file names its length in its headers; reading it throws where the store of files fails.
   */
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
}

/** The heart of the service: requests in, responses out, plain data both. It never rejects. */
export interface Handler {
  handle(request: HttpRequest): Promise<HttpResponse>;
}
