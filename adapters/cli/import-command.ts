import { setMaxListeners } from 'node:events';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { exitOf, failureData, failureLines } from './describe-failure.js';
import { importLines, type Verdict } from './import/import-lines.js';
import { type ImportLine, parseLine, type RawLine, readLines } from './import/lines.js';
import { openInput } from './input.js';
import { printable, printableJson } from './output.js';
import { failedExit, fileProblem, refusedExit, say, unauthorizedExit } from './problem.js';
import type { Session } from './session.js';
import { parseNumber } from './settings.js';
import { exitOfSignal } from './shutdown.js';

/** Bytes of a line; no body of the interface may be larger. */
const longestLine = 1024 * 1024;
/** This many failures in a row are an outage: the next lines would fail too. */
const outage = 10;
/** Milliseconds for requests in flight once the import is told to stop. */
const grace = 5_000;

/** Why an import ended before the end of its file, and the exit code. */
const stopExits = {
  interrupted: exitOfSignal('SIGINT'),
  unauthorized: unauthorizedExit,
  outage: failedExit,
  broken: failedExit,
};
type Stopped = Exclude<keyof typeof stopExits, 'broken'>;

export async function importFile(session: Session, path: string): Promise<number> {
  const { process, flags } = session;
  const concurrency = parseNumber('--concurrency', flags.concurrency, 1, 64, 'requests');
  if (concurrency.isErr()) return session.complain(concurrency.error);
  const input = await openInput(process, path);
  if (input.isErr()) return session.complain(input.error);
  const { source, stats, total } = input.value;
  const report = await openReport(flags.report, stats);
  if (report.isErr()) return session.complain(report.error);
  try {
    const lines = readLines(source, longestLine);
    const shown = path === '-' ? undefined : total;
    return await run(session, lines, shown, concurrency.value ?? 8, report.value);
  } finally {
    await report.value?.close();
  }
}

/** Creates the file of reports, unless it is the input file itself. */
async function openReport(
  path: string | undefined,
  source: Stats,
): Promise<Result<FileHandle | undefined, string>> {
  if (path === undefined) return ok(undefined);
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile() && there.dev === source.dev && there.ino === source.ino) {
    return err(fileProblem('write', path, { code: 'it is the file that is read' }));
  }
  return ResultAsync.fromPromise(open(path, 'w'), (error) => fileProblem('write', path, error));
}

async function run(
  session: Session,
  lines: AsyncIterable<RawLine>,
  total: number | undefined,
  concurrency: number,
  report: FileHandle | undefined,
): Promise<number> {
  const { process, flags, call, language } = session;
  const tally = { lines: 0, created: 0, already_there: 0, refused: 0, failed: 0, unanswered: 0 };
  let inARow = 0;
  let lastLine = 0;
  let openLine: number | undefined;
  let stopped: Stopped | undefined;
  let broken: string | undefined;
  const progress = session.createProgress(total);
  const calls = new AbortController();
  // each of the requests in flight listens, and there may be 64
  setMaxListeners(0, calls.signal);
  call.signal.addEventListener('abort', () => {
    stopped ??= 'interrupted';
    setTimeout(() => calls.abort(call.signal.reason), grace).unref();
  });

  const onVerdict = async ({ number: line, end }: RawLine, verdict: Verdict): Promise<boolean> => {
    const { is } = verdict;
    tally.lines += 1;
    tally[is] += 1;
    lastLine = line;
    if (is === 'failed') inARow += 1;
    else if (is !== 'unanswered') inARow = 0;
    if (is === 'failed' || is === 'unanswered') openLine ??= line;
    if ('why' in verdict) {
      // never the text of the line
      const json = printableJson({ line, is, ...failureData(verdict.why) });
      const text = `line ${line} ${is}: ${failureLines(verdict.why).join('\n')}`;
      progress.print(flags.json === true ? json : text);
      await report?.write(`${json}\n`);
    }
    progress.at(end, `${tally.lines} lines`);
    if (is === 'failed' && exitOf(verdict.why) === unauthorizedExit) stopped ??= 'unauthorized';
    if (inARow >= outage) stopped ??= 'outage';
    return stopped === undefined;
  };

  try {
    await importLines({
      lines,
      parse: ({ bytes }) =>
        parseLine(bytes, language).match(
          (line) => line,
          (bad) => bad,
        ),
      send: (line) => send(session, line, calls.signal),
      onVerdict,
      concurrency,
      stop: call.signal,
    });
  } catch (error) {
    broken = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  progress.stop();
  const ending = broken === undefined ? stopped : 'broken';
  const nextLine = ending === undefined ? openLine : (openLine ?? lastLine + 1);
  const summary = { ...tally, stopped: ending ?? null, next_line: nextLine ?? null };
  await session.show(summary, () => tallyText(tally));
  if (flags.json !== true) {
    if (broken !== undefined) say(process, `it broke off: ${broken}`);
    if (nextLine !== undefined) {
      say(
        process,
        `${wordsOf(stopped, printable(session.baseUrl))}; the lines before line ${nextLine} have their answers. Run it again: what is there is not made twice.`,
      );
    }
  }
  if (ending !== undefined) return stopExits[ending];
  if (tally.failed > 0) return failedExit;
  return tally.refused > 0 ? refusedExit : 0;
}

function tallyText(tally: Readonly<Record<Verdict['is'] | 'lines', number>>): string {
  const unanswered = tally.unanswered > 0 ? `, ${tally.unanswered} without an answer` : '';
  return `${tally.lines} lines: ${tally.created} created, ${tally.already_there} already there, ${tally.refused} refused, ${tally.failed} failed${unanswered}\n`;
}

/** Why not every line has its answer. */
function wordsOf(stopped: Stopped | undefined, url: string): string {
  const words = {
    interrupted: 'interrupted',
    unauthorized: `stopped, because ${url} does not know the token`,
    outage: `stopped, because ${outage} lines in a row failed at ${url}`,
  };
  return stopped === undefined ? `not everything was answered by ${url}` : words[stopped];
}

async function send(
  session: Session,
  { kind, body, idempotencyKey }: ImportLine,
  signal: AbortSignal,
): Promise<Verdict> {
  const result = await session.create(kind, body, { signal, idempotencyKey });
  if (result.isOk()) return { is: 'created' };
  const why = result.error;
  switch (why.code) {
    case 'aborted':
      return { is: 'unanswered' };
    case 'contractor_exists':
    case 'deal_exists':
      return session.flags.skipExisting === true ? { is: 'already_there' } : { is: 'refused', why };
    default:
      return exitOf(why) === refusedExit ? { is: 'refused', why } : { is: 'failed', why };
  }
}
