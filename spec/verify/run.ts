import * as fc from 'fast-check';
import { casesOf, type Law, type LawGroup, NotApplicable } from '../laws.js';
import { failureOf } from './failure.js';
import type { CaseResult } from './report.js';
import type { CaseTransport, Exchange } from './transport.js';

/** A case with what it needs: made for it, and ended after it. */
export interface RunnableCase {
  readonly law: Law;
  readonly variant: string | undefined;
  readonly run: (transport: CaseTransport) => Promise<void>;
}

/** The cases of groups, each with the subject that `open` makes over its transport. */
export function runnable<S>(
  groups: readonly LawGroup<S>[],
  open: (transport: CaseTransport) => S,
): RunnableCase[] {
  return groups.flatMap(casesOf).map(({ law, variant, body }) => ({
    law,
    variant,
    run: (transport) => body(open(transport)),
  }));
}

export interface RunOptions {
  readonly transport: () => CaseTransport;
  /** Milliseconds for a case. */
  readonly limit: number;
  readonly seed: number;
  /** The fewest runs of a random case. */
  readonly runs: number;
  /** The name that a report shows in place of each secret. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Called after each case, with all that was sent. */
  readonly onResult: (result: CaseResult, exchanges: readonly Exchange[]) => void;
}

/** After so many cases in a row without any answer, the server counts as gone. */
const mostSilent = 3;

/** Runs cases one after the other. A server that stops answering fails all that follow at once. */
export async function runCases(
  cases: readonly RunnableCase[],
  options: RunOptions,
): Promise<readonly CaseResult[]> {
  const { seed, runs } = options;
  const before = fc.readConfigureGlobal() ?? {};
  // the random cases of the contracts read it
  fc.configureGlobal({ ...before, seed, numRuns: runs });
  try {
    const results: CaseResult[] = [];
    let silent = 0;
    for (const each of cases) {
      const { result, exchanges } = silent < mostSilent ? await runCase(each, options) : gone(each);
      if (exchanges.length > 0) silent = exchanges.some(hasAnswer) ? 0 : silent + 1;
      results.push(result);
      options.onResult(result, exchanges);
    }
    return results;
  } finally {
    fc.configureGlobal(before);
  }
}

interface Judged {
  readonly result: CaseResult;
  readonly exchanges: readonly Exchange[];
}

const hasAnswer = ({ failure }: Exchange) => failure === undefined;

function gone({ law, variant }: RunnableCase): Judged {
  const failure = { message: `the server has not answered the last ${mostSilent} cases` };
  return { result: { law, variant, outcome: 'failed', failure, milliseconds: 0 }, exchanges: [] };
}

async function runCase(each: RunnableCase, options: RunOptions): Promise<Judged> {
  const { law, variant, run } = each;
  const transport = options.transport();
  const begin = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the case has not ended within ${options.limit} ms`);
    timer = setTimeout(() => reject(error), options.limit);
  });
  let cause: unknown;
  try {
    await Promise.race([run(transport), late]);
  } catch (error) {
    cause = error ?? new Error('the case failed without an error');
  } finally {
    clearTimeout(timer);
    transport.end();
  }
  const milliseconds = Math.round(performance.now() - begin);
  const { exchanges, unpromised } = transport;
  const reason = unpromised ?? (cause instanceof NotApplicable ? cause.message : undefined);
  const common = { law, variant, milliseconds };
  if (reason !== undefined) {
    return { result: { ...common, outcome: 'not_applicable', reason }, exchanges };
  }
  if (cause === undefined) return { result: { ...common, outcome: 'passed' }, exchanges };
  const failure = failureOf(cause, exchanges, options.secrets);
  return { result: { ...common, outcome: 'failed', failure }, exchanges };
}
