import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { failureData, failureLines } from '../describe-failure.js';
import { printableJson } from '../printable.js';
import type { Verdict } from './import-lines.js';

/** How many lines came to what. */
export interface Tally {
  lines: number;
  created: number;
  already_there: number;
  refused: number;
  failed: number;
  unanswered: number;
}

/** What a report says of a line. */
export interface LineReport {
  readonly line: number;
  readonly is: 'refused' | 'failed';
}

/** A line that came to nothing, as data: never what stands in it. */
export function lineReport(line: number, verdict: Verdict): LineReport | undefined {
  if (!('why' in verdict)) return undefined;
  const { is, why } = verdict;
  return { line, is, ...failureData(why) };
}

/** The same for a person. */
export function lineReportText(line: number, verdict: Verdict): string | undefined {
  if (!('why' in verdict)) return undefined;
  const { is, why } = verdict;
  return `line ${line} ${is}: ${failureLines(why).join('\n')}`;
}

/** The counts in a line. */
export function tallyText(tally: Tally): string {
  return [
    `${tally.lines} lines: ${tally.created} created`,
    `${tally.already_there} already there`,
    `${tally.refused} refused`,
    `${tally.failed} failed`,
    ...(tally.unanswered > 0 ? [`${tally.unanswered} without an answer`] : []),
  ].join(', ');
}

/** A file of reports, a line of JSON each. */
export interface ReportFile {
  write(report: LineReport): Promise<void>;
  close(): Promise<void>;
}

/** Opens one anew. Rejects where it cannot be written, or is the very file that is read. */
export async function openReport(path: string, source: Stats | undefined): Promise<ReportFile> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile() && there.dev === source?.dev && there.ino === source.ino) {
    throw Object.assign(new Error('the same file'), { code: 'it is the file that is read' });
  }
  const file = await open(path, 'w');
  return {
    write: async (report) => {
      await file.write(`${printableJson(report)}\n`);
    },
    close: () => file.close(),
  };
}
