import type { Promises } from './promises.js';

/** A request and its answer, as a report shows them: tokens are replaced by names. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Why there was no answer. */
  failure?: string;
  status?: number;
  answerHeaders?: Headers;
  answer?: Uint8Array<ArrayBuffer>;
}

/** A request. The path begins after the base URL. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer, read to its end. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface TransportOptions {
  /** The URL of the server, without a slash at its end. */
  readonly base: string;
  readonly promises: Promises;
  /** Milliseconds until the last byte of an answer. */
  readonly timeout: number;
  /** The most requests in a second. */
  readonly rate: number;
  readonly fetch: typeof globalThis.fetch;
  /** The name that a report shows in place of each secret. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The requests of one case. */
export interface CaseTransport {
  readonly exchanges: readonly Exchange[];
  /** Why the case is not to be judged: the first operation that the server does not promise. */
  readonly unpromised: string | undefined;
  /** Sends a request. It rejects if there is no answer, or if the operation is not promised. */
  send(request: WireRequest): Promise<WireAnswer>;
  /** The same for a client of the interface. */
  readonly fetch: typeof globalThis.fetch;
  /** Undoes something once the case has ended, whatever came of it. */
  afterwards(undo: () => Promise<unknown>): void;
  /** Does so, and lets no further request out. */
  end(): Promise<void>;
}

/** Seconds that a server with a limit of requests is waited for. */
const longestWait = 2;

/** Bytes of an answer that are read, as they are once they were decoded. */
const mostBytes = 4 * 2 ** 20;
const tooLong = 'the answer is longer than 4 MiB';

/** Makes the transports of the cases of a run, which share the rate of requests. */
export function createTransport(options: TransportOptions): () => CaseTransport {
  let next = 0;
  const turn = async () => {
    const now = performance.now();
    next = Math.max(now, next) + 1000 / options.rate;
    const wait = next - now - 1000 / options.rate;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  };
  return () => createCaseTransport(options, turn);
}

function createCaseTransport(
  { base, promises, timeout, fetch, secrets }: TransportOptions,
  turn: () => Promise<void>,
): CaseTransport {
  const exchanges: Exchange[] = [];
  /** The requests under way; none is sent any more once the case has ended. */
  const underWay = new Set<AbortController>();
  let hasEnded = false;
  const undos: (() => Promise<unknown>)[] = [];
  let unpromised: string | undefined;

  async function exchange(request: WireRequest): Promise<WireAnswer> {
    const { method, path, headers, body } = request;
    const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
    const refusal = promises.refusal(method, path, hasKey);
    if (refusal !== undefined) {
      unpromised ??= refusal;
      throw new Error(refusal);
    }
    await turn();
    if (hasEnded) throw new Error('the case has ended');
    const shown: Exchange = {
      method,
      url: base + path,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, hidden(value, secrets)]),
      ),
      body,
    };
    exchanges.push(shown);
    const control = new AbortController();
    underWay.add(control);
    const timer = setTimeout(() => control.abort(), timeout);
    let isTooLong = false;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(base + path, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          redirect: 'manual',
          signal: control.signal,
        });
        const { status, headers: answerHeaders } = response;
        const answer = await readAll(response);
        if (answer === undefined) {
          isTooLong = true;
          throw new Error(tooLong);
        }
        const seconds = Number(answerHeaders.get('retry-after'));
        // a limit of requests is no answer to this one
        if (status === 429 && seconds <= longestWait && attempt < 3) {
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
          continue;
        }
        Object.assign(shown, { status, answerHeaders, answer });
        return { status, headers: answerHeaders, bytes: answer };
      }
    } catch (cause) {
      if (isTooLong) shown.failure = tooLong;
      else if (control.signal.aborted) shown.failure = `no whole answer within ${timeout} ms`;
      else shown.failure = `no HTTP answer: ${reasonOf(cause)}`;
      throw new Error(`${method} ${path}: ${shown.failure}`, { cause });
    } finally {
      clearTimeout(timer);
      underWay.delete(control);
    }
  }

  return {
    exchanges,
    get unpromised() {
      return unpromised;
    },
    send: exchange,
    fetch: async (input, { method = 'GET', headers, body } = {}) => {
      const answer = await exchange({
        method,
        path: String(input).slice(base.length),
        headers: Object.fromEntries(new Headers(headers)),
        ...(await bodyOf(body)),
      });
      const isEmpty = [101, 204, 205, 304].includes(answer.status);
      return new Response(isEmpty ? null : answer.bytes, answer);
    },
    afterwards: (undo) => {
      undos.push(undo);
    },
    async end() {
      // what could not be undone is counted as left
      for (const undo of undos) await undo().catch(() => undefined);
      hasEnded = true;
      for (const control of underWay) control.abort();
    },
  };
}

/** The body of a request of a client: text, bytes, a Blob or a stream. */
async function bodyOf(body: RequestInit['body']): Promise<Pick<WireRequest, 'body'>> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body };
  return { body: new Uint8Array(await new Response(body).arrayBuffer()) };
}

/** The body of an answer; `undefined` if it is too long, and then the connection ends. */
async function readAll(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    size += piece.value.length;
    if (size > mostBytes) {
      // a body that cannot be cancelled is left all the same
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(piece.value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** A text without the secrets in it. */
export function hidden(text: string, secrets: ReadonlyMap<string, string>): string {
  let shown = text;
  for (const [secret, name] of secrets) shown = shown.replaceAll(secret, name);
  return shown;
}

/** Why `fetch` failed: its own message is only that it did. */
export function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as { cause?: unknown; message?: string };
  const { code } = Object(cause) as { code?: string };
  return code ?? (cause instanceof Error ? cause.message : (message ?? String(error)));
}
