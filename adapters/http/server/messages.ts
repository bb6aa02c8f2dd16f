/** A request as plain data: what every runtime has, read no earlier than it is needed. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  /** The value of a header, named in lower case. */
  header(name: string): string | undefined;
  /** The whole body, unless it has more than `limit` bytes or never arrives. Asked for once. */
  body(limit: number): Promise<Uint8Array | 'too_large' | 'aborted'>;
  /**
   * The body piece by piece, the next one read when it is asked for; it ends in an exception where
   * the client goes away. Asked for once, instead of `body`.
   */
  stream(): AsyncIterable<Uint8Array>;
}

/** A response as plain data. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or nothing (204, and every answer to HEAD). */
  readonly body: string | undefined;
}

/** The heart of the service: requests in, responses out, plain data both. It never rejects. */
export interface Handler {
  handle(request: HttpRequest): Promise<HttpResponse>;
}
