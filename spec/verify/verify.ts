import { type ContractRunner, checkRunner, skip } from '../expectations.js';
import { type Law, titleOf } from '../laws.js';
import { partnerGroups } from '../partner-api/index.js';
import { wireGroups } from '../wire/index.js';
import { createServer } from '../wire/server.js';
import { createLedger } from './ledger.js';
import { byLaw, outcomeOf, type Report } from './report.js';
import { judge, limitOf, runCases, runnable } from './run.js';
import { partnersOf } from './typed.js';
import { openVisit, VerifyError, type VerifyOptions } from './visit.js';

/** The wire comes first: what it shows explains what a client cannot do. */
const allCases = [...runnable(wireGroups, createServer), ...runnable(partnerGroups, partnersOf)];

/**
 * All laws that `verify` judges.
 *
 * @example
 * ```ts
 * import { verifiedLaws } from 'dealwright/verify';
 *
 * for (const { id, level, text } of verifiedLaws()) console.log(id, level, text);
 * ```
 */
export function verifiedLaws(): readonly Law[] {
  return [...new Set(allCases.map(({ law }) => law))];
}

/**
 * Judges a server of the interface over HTTP, in any language, and reports which laws it keeps. It
 * is a guest: it needs no empty service, and all that it makes has names of its own. It rejects
 * with a `VerifyError` if there is nothing to judge.
 *
 * @example
 * ```ts
 * import { exitCodeOf, verify } from 'dealwright/verify';
 *
 * const report = await verify({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * for (const { law, failure } of report.results) if (failure) console.log(law.id, failure.message);
 * process.exitCode = exitCodeOf(report);
 * ```
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const begin = Date.now();
  const { baseline = [], onResult } = options;
  const cases = casesUnder(options);
  if (cases.length === 0) {
    throw new VerifyError(`no law has an id that begins with ${options.only}`);
  }
  const unknown = baseline.find((id) => !allCases.some(({ law }) => law.id === id));
  if (unknown !== undefined) throw new VerifyError(`the baseline names no law: ${unknown}`);
  const visit = await openVisit(options);
  try {
    const ledger = createLedger();
    const results = await runCases(cases, visit, (result, exchanges) => {
      ledger.add(exchanges);
      onResult?.(result);
    });
    const outcomes = new Map([...byLaw(results)].map(([id, all]) => [id, outcomeOf(all)]));
    return {
      server: visit.base,
      at: new Date(begin).toISOString(),
      seconds: (Date.now() - begin) / 1000,
      seed: visit.seed,
      prefix: visit.prefix,
      profiles: [...visit.promises.profiles],
      results,
      left: ledger.counts(),
      mended: baseline.filter((id) => outcomes.get(id) === 'passed'),
      known: baseline.filter((id) => outcomes.get(id) === 'failed'),
    };
  } finally {
    await visit.close();
  }
}

/**
 * The same for a test runner: a test for each case. Those that are not applicable are skipped if
 * the runner gives its tests a context with `skip`, as vitest and `node:test` do; elsewhere they
 * pass.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { serverContract } from 'dealwright/verify';
 *
 * serverContract({ describe, it }, { baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * ```
 */
export function serverContract(runner: ContractRunner, options: VerifyOptions): void {
  checkRunner(runner, 'serverContract');
  let visit: ReturnType<typeof openVisit> | undefined;
  runner.describe('the laws of a server', () => {
    for (const each of casesUnder(options)) {
      const body = async (context?: unknown) => {
        visit ??= openVisit(options);
        const { result } = await judge(each, await visit);
        const { message, curl, answer } = result.failure ?? {};
        if (result.outcome === 'failed') {
          throw new Error([`${each.law.level} ${titleOf(each)}`, message, curl, answer].join('\n'));
        }
        if (result.outcome === 'not_applicable') skip(context, result.reason ?? '');
      };
      // a case says itself that it is late, before its runner does
      runner.it(titleOf(each), body, 2 * limitOf(options.timeout ?? 10_000));
    }
  });
}

function casesUnder({ only = '' }: VerifyOptions) {
  const beginnings = [only].flat();
  return allCases.filter(({ law }) => beginnings.some((each) => isUnder(law.id, each)));
}

/** An id, or its beginning up to a slash or a dot. */
function isUnder(id: string, only: string): boolean {
  const next = id.charAt(only.length);
  return id.startsWith(only) && (only === '' || /[./]$/.test(only) || /^[./]?$/.test(next));
}
