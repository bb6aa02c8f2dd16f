import * as fc from 'fast-check';
import { endWithin } from '../contract.js';
import { casesOf, type Law, type LawGroup, NotApplicable } from '../laws.js';
import { otherScene, unconcerned } from './concerns.js';
import { failureOf } from './failure.js';
import type { CaseResult } from './report.js';
import type { CaseTransport, Exchange } from './transport.js';
import type { Visit } from './visit.js';

/** A case for the server of a visit. */
export interface RunnableCase {
  readonly law: Law;
  readonly variant: string | undefined;
  readonly run: (visit: Visit, transport: CaseTransport) => Promise<void>;
}

/** The cases of groups, each with the subject that `open` makes over its transport. */
export function runnable<S>(
  groups: readonly LawGroup<S>[],
  open: (visit: Visit, transport: CaseTransport) => S,
): RunnableCase[] {
  return groups.flatMap(casesOf).map(({ law, variant, body }) => ({
    law,
    variant,
    run: (visit, transport) => body(open(visit, transport)),
  }));
}

/** After so many cases in a row without any answer, the server counts as gone. */
const mostSilent = 3;

/** The milliseconds of a case: those of six answers, and at least of a webhook that is retried. */
export const limitOf = (timeout: number) => Math.max(6 * timeout, 10_000);

/** Runs cases one after the other. A server that stops answering fails all that follow at once. */
export async function runCases(
  cases: readonly RunnableCase[],
  visit: Visit,
  onResult: (result: CaseResult, exchanges: readonly Exchange[]) => void,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  let silent = 0;
  for (const each of cases) {
    const { result, exchanges } = silent < mostSilent ? await judge(each, visit) : gone(each);
    if (exchanges.length > 0) silent = exchanges.some(hasAnswer) ? 0 : silent + 1;
    results.push(result);
    onResult(result, exchanges);
  }
  return results;
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

/** Runs a case. */
export async function judge({ law, variant, run }: RunnableCase, visit: Visit): Promise<Judged> {
  const { seed, runs, timeout, secrets, promised } = visit;
  const given = unconcerned(law, promised);
  if (given !== undefined) {
    const outcome = 'not_applicable';
    return { result: { law, variant, outcome, reason: given, milliseconds: 0 }, exchanges: [] };
  }
  const transport = visit.transport();
  const begin = performance.now();
  const before = fc.readConfigureGlobal() ?? {};
  // the random cases read it
  fc.configureGlobal({ ...before, seed, numRuns: runs });
  let cause: unknown;
  try {
    await endWithin(run(visit, transport), limitOf(timeout));
  } catch (error) {
    cause = error ?? new Error('the case failed without an error');
  } finally {
    fc.configureGlobal(before);
  }
  const { unpromised, exchanges } = transport;
  // a report shows the last exchange of the case itself
  const own = [...exchanges];
  await transport.end();
  const common = { law, variant, milliseconds: Math.round(performance.now() - begin) };
  const reason = unpromised ?? (cause instanceof NotApplicable ? cause.message : undefined);
  if (reason === undefined && cause === undefined) {
    return { result: { ...common, outcome: 'passed' }, exchanges };
  }
  const unmet = reason ?? otherScene(law, promised, exchanges);
  if (unmet !== undefined) {
    return { result: { ...common, outcome: 'not_applicable', reason: unmet }, exchanges };
  }
  const failure = failureOf(cause, own, secrets);
  return { result: { ...common, outcome: 'failed', failure }, exchanges };
}
