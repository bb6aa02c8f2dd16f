/** The runtime's `AbortSignal`, or the part of it that is used here if the types have none. */
export type AbortSignalLike = typeof globalThis extends {
  AbortSignal: { readonly prototype: infer Signal };
}
  ? Signal
  : { readonly aborted: boolean };

/** The runtime's `Blob`, or the part of it that is used here if the types have none. */
export type BlobLike = typeof globalThis extends {
  Blob: { readonly prototype: infer Each };
}
  ? Each
  : { readonly size: number };

/** The runtime's `ReadableStream` of bytes, or the part that is used if the types have none. */
export type StreamLike = typeof globalThis extends {
  ReadableStream: { readonly prototype: infer Each };
}
  ? Each
  : { getReader(): unknown };

/** The options that the client passes to `fetch`. */
export interface RequestLike {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  /** JSON, or a form. */
  readonly body?: string | BlobLike | StreamLike;
  /** Set if the body is a stream: `fetch` requires it. */
  readonly duplex?: 'half';
  /** `fetch` must not follow a redirect: that would send the token elsewhere. */
  readonly redirect: 'manual';
  readonly signal: AbortSignalLike;
}

/** The part of a `Response` that the client reads. */
export interface ResponseLike {
  readonly status: number;
  /** `opaqueredirect` is how a browser shows a redirect that it does not follow. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  /** Read piece by piece, so that an endless body does not fill the memory. */
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

/** The part of `fetch` that the client needs: the runtime's, one with a proxy, one for tests. */
export type FetchLike = (url: string, request: RequestLike) => PromiseLike<ResponseLike>;
