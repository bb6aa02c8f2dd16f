import {
  type ClientOptions,
  createClient,
  type DealwrightClient,
  eachDeal,
} from 'dealwright/client';
import { contractor, deal, dealV2 } from '../../kit/requests.js';

/** The stops of the tour: base URLs and tokens of services that only the tour uses. */
export interface TourStops {
  readonly baseUrl: string;
  readonly token: string;
  /** A token whose every other request is refused, to be sent again after a second. */
  readonly limitedToken: string;
  /** Redirects every request to another service. */
  readonly redirecting: string;
  /** A host that answers only paths without their closing slash. */
  readonly withoutSlash: string;
  /** Takes every request, and never answers. */
  readonly silent: string;
}

/** Everything that a runtime does to the client, as plain values. */
export async function tour(stops: TourStops): Promise<Readonly<Record<string, unknown>>> {
  const { baseUrl, token } = stops;
  let attempts = 0;
  const statuses = new Set<number>();
  const ids = new Set<string>();
  const api = createClient({
    baseUrl,
    token,
    retryBase: 1,
    // the answer to the first attempt of each of the first creates is lost
    async fetch(url, request) {
      const response = await fetch(url, request);
      attempts += 1;
      if (attempts === 2) throw new TypeError('the connection is gone');
      return response;
    },
    onExchange({ status, request_id }) {
      if (status !== undefined) statuses.add(status);
      if (request_id !== undefined) ids.add(request_id);
    },
  });

  const registered = (await api.registerContractor(contractor))._unsafeUnwrap();
  const { id } = (await api.createDeal(deal))._unsafeUnwrap();
  const attemptsOfCreates = attempts;
  const again = (await api.createDeal(deal))._unsafeUnwrapErr().code;
  const uploads = await upload(api, id);
  const { stages } = (await api.retrieveDeal(id))._unsafeUnwrap();
  await api.createDealV2({ ...dealV2, partner_id: '..' });
  const details = (await api.retrieveDealDetails('..'))._unsafeUnwrap();
  const listed: string[] = [];
  for await (const each of eachDeal(api, { page_size: 1 })) {
    listed.push(each._unsafeUnwrap().partner_id);
  }
  const categories = (await api.listCategories({ language: 'pl' }))._unsafeUnwrap();
  const tree = (await api.listCategories())._unsafeUnwrap();
  return {
    registered,
    attemptsOfCreates,
    again,
    uploads,
    files: stages[0]?.work_files.map(({ name }) => name),
    details: details.partner_id,
    listed,
    categories: categories.length > 0 && tree.length > 0,
    statuses: [...statuses].sort(),
    hasRequestIds: ids.size === attempts - 1,
    ...(await limits(stops)),
    ...(await failures(stops)),
    ...(await contentsThatFail(stops)),
  };
}

const text = new TextEncoder().encode('Once upon a time');
/** More than one piece, and more than the buffers between a stream and its reader. */
const long = new Uint8Array(2 ** 20).map((_, at) => at % 251);

async function* pieces(bytes: Bytes): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

type Bytes = Uint8Array<ArrayBuffer>;

const streamOf = (bytes: Bytes): ReadableStream<Bytes> => streamFrom(pieces(bytes));

function streamFrom(rest: AsyncGenerator<Bytes>): ReadableStream<Bytes> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await rest.return(undefined);
    },
  });
}

/** Each kind of content, alone and with `onProgress`. */
async function upload(api: DealwrightClient, id: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const bytes of [text, long]) {
    const contents = [
      () => bytes,
      () => new Blob([bytes]),
      () => new File([bytes], 'theirs'),
      () => streamOf(bytes),
      () => pieces(bytes),
    ];
    for (const content of contents) {
      for (const isWatched of [false, true]) {
        let last: unknown;
        let isRising = true;
        let sent = 0;
        const onProgress = (progress: { readonly sent: number; readonly total?: number }) => {
          isRising &&= progress.sent >= sent;
          sent = progress.sent;
          last = progress;
        };
        const options = isWatched ? { onProgress } : {};
        const file = { name: 'ż".txt', content: content() };
        const stored = (await api.uploadFile({ id }, file, options))._unsafeUnwrap();
        found.push([stored.name, stored.size, stored.sha256, last ?? null, isRising]);
      }
    }
  }
  return found;
}

/** `Retry-After`, read and obeyed. */
async function limits({ baseUrl, limitedToken }: TourStops) {
  const options = { baseUrl, token: limitedToken, retryBase: 1 };
  const refused = (
    await createClient({ ...options, attempts: 1 }).listCategories()
  )._unsafeUnwrapErr();
  const patient = createClient(options);
  // the second request of two
  await patient.listCategories();
  const begun = Date.now();
  const listed = await patient.listCategories();
  return {
    refused: [refused.code, 'retryAfter' in refused ? refused.retryAfter : null],
    waited: listed.isOk() && Date.now() - begun >= 900,
  };
}

/** Answers that are missing, or not to be used. */
async function failures({ baseUrl, token, redirecting, withoutSlash, silent }: TourStops) {
  const toRedirecting = createClient({ baseUrl: redirecting, token });
  const redirected: unknown[] = [];
  for (const result of [
    await toRedirecting.createDeal(deal),
    await toRedirecting.listCategories(),
    await toRedirecting.uploadFile({ id: 1 }, { name: 'a', content: streamOf(text) }),
  ]) {
    const error = result._unsafeUnwrapErr();
    redirected.push([error.code, 'status' in error ? error.status : null]);
  }
  const moved: unknown[] = [];
  const onExchange = ({ status }: { readonly status?: number }) => moved.push(status);
  const toMoved = createClient({ baseUrl: withoutSlash, token, onExchange });
  moved.push((await toMoved.createDealV2({ ...dealV2, title: '' }))._unsafeUnwrapErr().code);
  moved.push((await toMoved.listCategories()).isOk());
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', token, attempts: 1 });
  const unheard = createClient({ baseUrl: silent, token, attempts: 1, timeout: 100 });
  const stopped = new AbortController();
  stopped.abort();
  const created: string[] = [];
  for (const options of [{}, { token: 'of-nobody' }] satisfies Partial<ClientOptions>[]) {
    const result = await createClient({ baseUrl, token, ...options }).createDealV2({
      ...dealV2,
      title: '',
    });
    created.push(result._unsafeUnwrapErr().code);
  }
  return {
    redirected,
    moved,
    created,
    unreachable: (await nobody.createDeal(deal))._unsafeUnwrapErr().code,
    late: codeAndOutcome(await unheard.createDeal(deal)),
    stoppedBefore: codeAndOutcome(await unheard.createDeal(deal, { signal: stopped.signal })),
    stoppedAfter: [
      await stopAfter(async (api, signal) => api.createDeal(deal, { signal })),
      await stopAfter(async (api, signal) => api.listCategories({ signal })),
      await stopAfter(async (api, signal) =>
        api.uploadFile({ id: 1 }, { name: 'a', content: new Blob([long]) }, { signal }),
      ),
      await stopAfter(async (api, signal) =>
        api.uploadFile({ id: 1 }, { name: 'a', content: streamOf(long) }, { signal }),
      ),
    ],
  };

  async function stopAfter(
    call: (api: DealwrightClient, signal: AbortSignal) => Promise<Failed>,
  ): Promise<unknown> {
    const controller = new AbortController();
    let requests = 0;
    const api = createClient({
      baseUrl: silent,
      token,
      fetch(url, request) {
        requests += 1;
        setTimeout(() => controller.abort(), 50);
        return fetch(url, request);
      },
    });
    return [...codeAndOutcome(await call(api, controller.signal)), requests];
  }
}

/** Contents that break, or do not end. */
async function contentsThatFail({ baseUrl, token, silent }: TourStops) {
  const api = createClient({ baseUrl, token });
  const unreadable: unknown[] = [];
  for (const content of [breaking(), streamFrom(breaking()), streamFrom(noBytes()), noBytes()]) {
    const stored = await api.uploadFile({ id: 1 }, { name: 'a', content });
    const error = stored._unsafeUnwrapErr();
    unreadable.push([error.code, 'errors' in error ? error.errors.map(({ code }) => code) : null]);
  }
  const unheard = createClient({ baseUrl: silent, token });
  const endless: unknown[] = [];
  for (const isStream of [true, false]) {
    for (const isStopped of [true, false]) {
      const stopped = new AbortController();
      const source = endlessPieces(() => setTimeout(() => isStopped && stopped.abort(), 50));
      const content = isStream ? streamFrom(source.pieces) : source.pieces;
      const options = isStopped ? { signal: stopped.signal } : { timeout: 300 };
      const result = await unheard.uploadFile({ id: 1 }, { name: 'a', content }, options);
      endless.push([...codeAndOutcome(result), await source.hasEnded()]);
    }
  }
  return { unreadable, endless };
}

async function* breaking(): AsyncGenerator<Bytes> {
  yield text;
  throw new Error('the disk is gone');
}

async function* noBytes(): AsyncGenerator<Bytes> {
  yield text;
  yield JSON.parse('"text"');
}

/** Endless pieces, which notice when their reader stops. */
function endlessPieces(onBegin: () => void) {
  let isBegun = false;
  let end = (_: boolean) => {};
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  async function* pieces(): AsyncGenerator<Bytes> {
    isBegun = true;
    onBegin();
    try {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield text;
      }
    } finally {
      end(true);
    }
  }
  const hasEnded = async () => {
    // on a very busy machine, the time may be over before the first piece is asked for
    if (!isBegun) return true;
    const timer = setTimeout(() => end(false), 5_000);
    const hasEndedInTime = await ended;
    clearTimeout(timer);
    return hasEndedInTime;
  };
  return { pieces: pieces(), hasEnded };
}

interface Failed {
  _unsafeUnwrapErr(): { readonly code: string; readonly outcome?: string };
}

function codeAndOutcome(result: Failed): readonly unknown[] {
  const { code, outcome = null } = result._unsafeUnwrapErr();
  return [code, outcome];
}
