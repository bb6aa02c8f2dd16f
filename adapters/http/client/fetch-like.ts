/** The runtime's `AbortSignal`, or as much of one as there is where the types know none. */
export type AbortSignalLike = typeof globalThis extends {
  AbortSignal: { readonly prototype: infer Signal };
}
  ? Signal
  : { readonly aborted: boolean };

/** The runtime's `Blob`, or as much of one as there is where the types know none. */
export type BlobLike = typeof globalThis extends {
  Blob: { readonly prototype: infer Each };
}
  ? Each
  : { readonly size: number };

/** The runtime's `ReadableStream` of bytes, or as much as there is where types know none. */
export type StreamLike = typeof globalThis extends {
  ReadableStream: { readonly prototype: infer Each };
}
  ? Each
  : { getReader(): unknown };

/** What the client asks of `fetch`. */
export interface RequestLike {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  /** JSON, or a form. */
  readonly body?: string | BlobLike | StreamLike;
  /** There where the body is a stream: `fetch` asks for it. */
  readonly duplex?: 'half';
  /** `fetch` follows no redirect: that would send the token elsewhere. */
  readonly redirect: 'manual';
  readonly signal: AbortSignalLike;
}

/** What the client reads of a response: a `Response` is one. */
export interface ResponseLike {
  readonly status: number;
  /** `opaqueredirect` is how a browser shows a redirect that it does not follow. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  /** Read piece by piece, so that a body without end does not fill the memory. */
  readonly body?: BodyLike | null;
  text(): PromiseLike<string>;
}

/** The stream of a response's body: a `ReadableStream` of bytes is one. */
export interface BodyLike {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): PromiseLike<unknown>;
  };
}

/** As much of `fetch` as the client needs: the runtime's, one with a proxy, one for tests. */
export type FetchLike = (url: string, request: RequestLike) => PromiseLike<ResponseLike>;
