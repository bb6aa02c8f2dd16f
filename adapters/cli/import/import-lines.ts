import type { Failure, Refusal } from '../describe-failure.js';
import type { BadLine, ImportLine } from './parse-line.js';
import type { RawLine } from './read-lines.js';

/** What became of a line. */
export type Verdict =
  /** By this run, or by an earlier one of the same line: the answer is the same. */
  | { readonly is: 'created' }
  /** Somebody was first, and that is said to be fine. */
  | { readonly is: 'already_there' }
  | { readonly is: 'refused'; readonly why: Refusal }
  /** No answer that says anything about the line. */
  | { readonly is: 'failed'; readonly why: Failure }
  /** It was stopped before it was sent, or before it was answered. */
  | { readonly is: 'unanswered' };

/** How an import goes about its lines. */
export interface ImportWork {
  readonly lines: AsyncIterable<RawLine>;
  readonly parse: (line: RawLine) => ImportLine | BadLine;
  readonly send: (line: ImportLine) => Promise<Verdict>;
  /** Told of every line in the order of the file; `false` stops. */
  readonly onVerdict: (line: RawLine, verdict: Verdict) => Promise<boolean>;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Begins nothing new; what is in flight is waited for. */
  readonly stop: AbortSignal;
}

/** Lines that may be read ahead of the first one without an answer, for each request at a time. */
const linesAhead = 32;
/** Bytes of them. */
const bytesAhead = 8 * 1024 * 1024;

/**
 * Sends lines, so many at a time, and tells of them in the order of the file. A line waits for those
 * before it that it depends on, without keeping others from going ahead. What is held at once is
 * bounded for any file. Rejects where the lines cannot be read or the verdicts not told.
 */
export async function importLines(work: ImportWork): Promise<void> {
  const { parse, send, onVerdict, concurrency } = work;
  const inTurn = createTurns(concurrency);
  const makers = new Map<string, Promise<unknown>>();
  const ahead = { lines: 0, bytes: 0 };
  let problem: { readonly error: unknown } | undefined;
  let isStopped = false;
  let onStop = () => {};
  let onRoom = () => {};
  const stop = () => {
    isStopped = true;
    onStop();
  };

  const judge = async (raw: RawLine): Promise<Verdict> => {
    const line = parse(raw);
    if (!('kind' in line)) return { is: 'refused', why: line };
    const { after, makes } = line;
    const verdict = Promise.all(after.map((each) => makers.get(each))).then(() =>
      inTurn(async (): Promise<Verdict> => (isStopped ? { is: 'unanswered' } : send(line))),
    );
    makers.set(makes, verdict);
    await verdict;
    if (makers.get(makes) === verdict) makers.delete(makes);
    return verdict;
  };
  const tell = async (raw: RawLine, verdict: Promise<Verdict>) => {
    try {
      const answered = await verdict;
      if (problem === undefined && !(await onVerdict(raw, answered))) stop();
    } catch (error) {
      problem = { error };
      stop();
    }
    ahead.lines -= 1;
    ahead.bytes -= raw.bytes?.length ?? 0;
    onRoom();
  };

  if (work.stop.aborted) stop();
  work.stop.addEventListener('abort', stop, { once: true });
  const iterator = work.lines[Symbol.asyncIterator]();
  let told = Promise.resolve();
  try {
    while (!isStopped) {
      const next = await new Promise<IteratorResult<RawLine> | undefined>((resolve, reject) => {
        // while there is nothing to read, for hours perhaps, it can still be stopped
        onStop = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (next === undefined || next.done === true) break;
      const raw = next.value;
      ahead.lines += 1;
      ahead.bytes += raw.bytes?.length ?? 0;
      const verdict = judge(raw);
      // looked at in its turn: until then a failure is nobody's yet, and ends nothing
      verdict.catch(() => undefined);
      told = told.then(() => tell(raw, verdict));
      while (ahead.lines >= linesAhead * concurrency || ahead.bytes >= bytesAhead) {
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
      }
    }
  } finally {
    await told;
  }
  if (problem !== undefined) throw problem.error;
}

/** Runs so many at a time, the others in the order in which they came. */
function createTurns(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
