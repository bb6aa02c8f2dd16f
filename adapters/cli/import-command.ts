import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ContractorInput, DealInput, DealV2Input } from 'dealwright';
import type { Result } from 'neverthrow';
import { exitOf, type Failure } from './describe-failure.js';
import { failedExit, refusedExit, signalExit, unauthorizedExit } from './exit-codes.js';
import { fileProblem } from './file-problem.js';
import { importLines, type Verdict } from './import/import-lines.js';
import { type ImportLine, parseLine } from './import/parse-line.js';
import { type RawLine, readLines } from './import/read-lines.js';
import {
  lineReport,
  lineReportText,
  openReport,
  type ReportFile,
  type Tally,
  tallyText,
} from './import/report.js';
import { printable, printableJson } from './printable.js';
import { createProgress } from './progress.js';
import { parseNumber, type ServiceFlags } from './service-settings.js';
import { type Session, withSession } from './session.js';

/** The flags of `dealwright import`. */
export interface ImportFlags extends ServiceFlags {
  readonly concurrency?: string;
  readonly report?: string;
  readonly skipExisting?: true;
}

/** Bytes of a line; no body of the interface may be larger. */
const longestLine = 1024 * 1024;
/** So many failures in a row are an outage, and what comes next would only fail too. */
const outage = 10;
/** Milliseconds that requests in flight have once the import is told to stop. */
const grace = 5_000;

/** Why an import ended before the end of its file. */
type Stopped = 'interrupted' | 'unauthorized' | 'outage';

/** `dealwright import` */
export function importFile(
  process: NodeJS.Process,
  path: string,
  flags: ImportFlags,
): Promise<void> {
  return withSession(
    process,
    flags,
    async (session) => {
      const concurrency = parseNumber('--concurrency', flags.concurrency, 1, 64, 'requests');
      if (concurrency.isErr()) return session.complain(concurrency.error);
      let file: FileHandle | undefined;
      let stats: Stats | undefined;
      try {
        file = path === '-' ? undefined : await open(path);
        // a shell may have put a file there
        stats = file === undefined ? fstatSync(process.stdin.fd) : await file.stat();
        if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      } catch (error) {
        return session.complain(fileProblem('read', path, error));
      }
      let report: ReportFile | undefined;
      try {
        report = flags.report === undefined ? undefined : await openReport(flags.report, stats);
      } catch (error) {
        return session.complain(fileProblem('write', flags.report ?? '', error));
      }
      const source: AsyncIterable<Uint8Array> =
        file === undefined ? process.stdin : file.createReadStream();
      try {
        return await run(process, session, flags, {
          lines: readLines(source, longestLine),
          total: file !== undefined && stats?.isFile() ? stats.size : undefined,
          report,
          concurrency: concurrency.value ?? 8,
        });
      } finally {
        await report?.close();
      }
    },
    { isPatient: true },
  );
}

interface Work {
  readonly lines: AsyncIterable<RawLine>;
  readonly total: number | undefined;
  readonly report: ReportFile | undefined;
  readonly concurrency: number;
}

async function run(
  process: NodeJS.Process,
  session: Session,
  flags: ImportFlags,
  { lines, total, report, concurrency }: Work,
): Promise<number> {
  const tally: Tally = {
    lines: 0,
    created: 0,
    already_there: 0,
    refused: 0,
    failed: 0,
    unanswered: 0,
  };
  let inARow = 0;
  let lastLine = 0;
  let openLine: number | undefined;
  let stopped: Stopped | undefined;
  let broken: string | undefined;
  const progress = createProgress({ stream: process.stderr, shown: session.progress, total });
  session.stop.addEventListener(
    'abort',
    () => {
      stopped ??= 'interrupted';
      setTimeout(session.abort, grace).unref();
    },
    { once: true },
  );

  const onVerdict = async (line: RawLine, verdict: Verdict): Promise<boolean> => {
    tally.lines += 1;
    tally[verdict.is] += 1;
    lastLine = line.number;
    const isAnswered = verdict.is !== 'failed' && verdict.is !== 'unanswered';
    if (!isAnswered) openLine ??= line.number;
    inARow = verdict.is === 'failed' ? inARow + 1 : isAnswered ? 0 : inARow;
    const told = lineReport(line.number, verdict);
    if (told !== undefined) {
      progress.print(
        flags.json === true ? printableJson(told) : (lineReportText(line.number, verdict) ?? ''),
      );
      await report?.write(told);
    }
    progress.at(line.end, `${tally.lines} lines`);
    if (verdict.is === 'failed' && exitOf(verdict.why) === unauthorizedExit) {
      stopped ??= 'unauthorized';
    }
    if (inARow >= outage) stopped ??= 'outage';
    return stopped === undefined;
  };

  try {
    await importLines({
      lines,
      parse: ({ bytes }) =>
        parseLine(bytes, session.language).match(
          (line) => line,
          (bad) => bad,
        ),
      send: (line) => send(session, line, flags.skipExisting === true),
      onVerdict,
      concurrency,
      stop: session.stop,
    });
  } catch (error) {
    broken = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  progress.stop();
  const nextLine =
    stopped === undefined && broken === undefined ? openLine : (openLine ?? lastLine + 1);
  const summary = {
    ...tally,
    stopped: broken === undefined ? (stopped ?? null) : 'broken',
    next_line: nextLine ?? null,
  };
  await session.show(summary, () => `${tallyText(tally)}\n`);
  if (flags.json !== true) {
    if (broken !== undefined) process.stderr.write(`dealwright: it broke off: ${broken}\n`);
    if (nextLine !== undefined) {
      process.stderr.write(
        `dealwright: ${wordsOf(stopped, printable(session.baseUrl))}; the lines before line ${nextLine} have their answers. Run it again: what is there is not made twice.\n`,
      );
    }
  }
  if (broken !== undefined) return failedExit;
  if (stopped === 'interrupted') return signalExit + 2;
  if (stopped === 'unauthorized') return unauthorizedExit;
  if (stopped === 'outage' || tally.failed > 0) return failedExit;
  return tally.refused > 0 ? refusedExit : 0;
}

/** Why not every line has its answer. */
function wordsOf(stopped: Stopped | undefined, url: string): string {
  switch (stopped) {
    case undefined:
      return `not everything was answered by ${url}`;
    case 'interrupted':
      return 'interrupted';
    case 'unauthorized':
      return `stopped, because ${url} does not know the token`;
    case 'outage':
      return `stopped, because ${outage} lines in a row failed at ${url}`;
  }
}

async function send(
  session: Session,
  { kind, body, idempotencyKey }: ImportLine,
  skipExisting: boolean,
): Promise<Verdict> {
  const call = { ...session.call, idempotencyKey };
  const { api } = session;
  const result: Result<unknown, Failure> =
    kind === 'contractor'
      ? await api.registerContractor(body as ContractorInput, call)
      : kind === 'deal'
        ? await api.createDeal(body as DealInput, call)
        : await api.createDealV2(body as DealV2Input, call);
  if (result.isOk()) return { is: 'created' };
  const why = result.error;
  switch (why.code) {
    case 'aborted':
      return { is: 'unanswered' };
    case 'contractor_exists':
    case 'deal_exists':
      return skipExisting ? { is: 'already_there' } : { is: 'refused', why };
    case 'unavailable':
    case 'rate_limited':
    case 'unexpected_response':
    case 'unauthorized':
      return { is: 'failed', why };
    default:
      return { is: 'refused', why };
  }
}
