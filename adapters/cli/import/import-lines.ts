import type { Failure, Refusal } from '../describe-failure.js';
import type { BadLine, ImportLine, RawLine } from './lines.js';

/** The result of a line. */
export type Verdict =
  /** By this run, or by an earlier one of the same line: the answer is the same. */
  | { readonly is: 'created' }
  /** It exists already, and the caller allows that. */
  | { readonly is: 'already_there' }
  | { readonly is: 'refused'; readonly why: Refusal }
  /** No answer about the line. */
  | { readonly is: 'failed'; readonly why: Failure }
  /** It was stopped before it was sent, or before it was answered. */
  | { readonly is: 'unanswered' };

/** The parts of an import. */
export interface ImportWork {
  readonly lines: AsyncIterable<RawLine>;
  readonly parse: (line: RawLine) => ImportLine | BadLine;
  readonly send: (line: ImportLine) => Promise<Verdict>;
  /** Called for every line in the order of the file; `false` stops. */
  readonly onVerdict: (line: RawLine, verdict: Verdict) => Promise<boolean>;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Ends the import, after the requests in flight. */
  readonly stop: AbortSignal;
}

/** Lines that may be read ahead of the first one without an answer, for each request at a time. */
const linesAhead = 32;
/** The most bytes of these lines. */
const bytesAhead = 8 * 1024 * 1024;

/**
 * Sends lines, a number at a time, and reports them in the order of the file. A line waits for the
 * earlier lines that it depends on, without delaying others. The memory in use is bounded for any
 * file. Rejects if the lines cannot be read or the verdicts not reported.
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
        // it can be stopped while it waits for input, which may take hours
        onStop = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (next === undefined || next.done === true) break;
      const raw = next.value;
      ahead.lines += 1;
      ahead.bytes += raw.bytes?.length ?? 0;
      const verdict = judge(raw);
      // handled in its turn: until then, a rejection must not end the process
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

/** Runs a number of tasks at a time, the others in their order. */
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
