import { err, ok, type Result } from 'neverthrow';
import type { RunFailure, RunReport } from '../api/answers.js';
import type { Finding } from '../domain/issues.js';
import type { Actor } from '../domain/life/actors.js';
import { describeError, describeIssue } from '../domain/messages.js';
import type { Stored, TimedKind } from '../domain/records.js';
import type { Environment, Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Call, Context, Refusal } from './context.js';

/** How many records, or tenants, one call of a store gives. */
const batchSize = 100;

/** How often one record is worked on within one run: a deal may have several deadlines behind it. */
const mostTurns = 100;

/** How many failures a report describes. */
const mostFailures = 100;

/** The kinds of a deal that have something due. */
type DueKind = Extract<TimedKind, 'deal' | 'intent'>;

/** What is due, and what is then done with it. */
export interface DueWork<K extends DueKind> {
  readonly kind: K;
  readonly actor: Actor;
  /** Whether something was done, or why it is to be tried by a later run. */
  run(call: Call, row: Stored<K>): Promise<Result<boolean | Postponed, PortProblem>>;
}

/** Why something is left to a later run. */
export interface Postponed {
  readonly why: Refusal & {
    readonly port?: string;
    readonly cause?: unknown;
    readonly errors?: readonly Finding[];
  };
}

/** What a run has done so far. */
interface Tally extends RunReport {
  done: number;
  failed: number;
  readonly failures: RunFailure[];
}

/** Nothing has been done yet. */
export function beginReport(): Tally {
  return { done: 0, failed: 0, failures: [] };
}

/**
 * Does for every tenant of an environment what is due at its time. It may be stopped at any moment
 * and run anywhere, any number at once: each piece of work decides by one write whose it is.
 */
export async function runDue<K extends DueKind>(
  context: Context,
  environment: Environment,
  work: DueWork<K>,
): Promise<Result<RunReport, PortProblem>> {
  const report = beginReport();
  let after: Tenant | undefined;
  for (;;) {
    const listed = await context.ports.tenants(after, batchSize);
    if (listed.isErr()) return err(listed.error);
    for (const { tenant } of listed.value) {
      after = tenant;
      if (tenant.environment !== environment) continue;
      const problem = await runForTenant(context, tenant, work, report);
      if (problem !== undefined) return err(problem);
    }
    if (listed.value.length < batchSize) return ok(report);
  }
}

/** Works through what is due for one tenant; what fails holds up nothing else. */
export async function runForTenant<K extends DueKind>(
  { ports }: Context,
  tenant: Tenant,
  { kind, actor, run }: DueWork<K>,
  report: Tally,
): Promise<PortProblem | undefined> {
  const call: Call = { tenant, actor, language: 'en' };
  const turns = new Map<string, number>();
  let left = 0;
  for (;;) {
    const now = ports.now(tenant);
    if (now.isErr()) return now.error;
    const found = await ports.due(tenant, kind, now.value, batchSize + left);
    if (found.isErr()) return found.error;
    const fresh = found.value.filter(({ attempt }) => (turns.get(attempt) ?? 0) < mostTurns);
    if (fresh.length === 0) return undefined;
    for (const row of fresh) {
      const ran = await run(call, row);
      if (ran.isErr()) return ran.error;
      const { value } = ran;
      if (typeof value === 'object') {
        turns.set(row.attempt, mostTurns);
        left += 1;
        report.failed += 1;
        if (report.failed <= mostFailures) report.failures.push(failureOf(call, row, value));
      } else {
        turns.set(row.attempt, (turns.get(row.attempt) ?? 0) + 1);
        if (value) report.done += 1;
      }
    }
  }
}

/** What failed, in words for the host's staff. */
function failureOf(
  { tenant, language }: Call,
  { partner_id }: { readonly partner_id: string },
  { why }: Postponed,
): RunFailure {
  const wrong = why.errors?.map((finding) => {
    const { path, message } = describeIssue(finding, language);
    return `report of the gateway, ${path.join('.')}: ${message}`;
  });
  const said = why.port && `${why.port} failed or did not answer`;
  const reason = wrong?.join('; ') ?? said ?? describeError(why.code, language);
  const failure = { partner: tenant.partner, partner_id, reason };
  // as the cause of an Error: it may hold what is not for a wire
  return Object.defineProperty(failure, 'cause', { value: why.cause });
}
