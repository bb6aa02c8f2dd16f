import { err, ok, type Result } from 'neverthrow';
import type { RunReport } from '../api/answers.js';
import type { Actor } from '../domain/life/actors.js';
import type { Stored, TimedKind } from '../domain/records.js';
import type { Environment, Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Call, Context } from './context.js';

/** How many records, or tenants, one call of a store gives. */
const batchSize = 100;

/** How often one record is worked on within one run: a deal may have several deadlines behind it. */
const mostTurns = 100;

/** What is due, and what is then done with it. */
export interface DueWork<K extends TimedKind> {
  readonly kind: K;
  readonly actor: Actor;
  /** Whether something was done; `'failed'` where it is to be tried by a later run. */
  run(call: Call, row: Stored<K>): Promise<Result<boolean | 'failed', PortProblem>>;
}

/**
 * Does for every tenant of an environment what is due at its time. It may be stopped at any moment
 * and run anywhere, any number at once: each piece of work decides by one write whose it is.
 */
export async function runDue<K extends TimedKind>(
  context: Context,
  environment: Environment,
  work: DueWork<K>,
): Promise<Result<RunReport, PortProblem>> {
  const report = { done: 0, failed: 0 };
  let after: Tenant | undefined;
  for (;;) {
    const listed = await context.ports.tenants(after, batchSize);
    if (listed.isErr()) return err(listed.error);
    for (const tenant of listed.value) {
      after = tenant;
      if (tenant.environment !== environment) continue;
      const problem = await runForTenant(context, tenant, work, report);
      if (problem !== undefined) return err(problem);
    }
    if (listed.value.length < batchSize) return ok(report);
  }
}

/** Works through what is due for one tenant; what fails holds up nothing else. */
export async function runForTenant<K extends TimedKind>(
  { ports }: Context,
  tenant: Tenant,
  { kind, actor, run }: DueWork<K>,
  report: { done: number; failed: number },
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
      const isLeft = ran.value === 'failed';
      turns.set(row.attempt, isLeft ? mostTurns : (turns.get(row.attempt) ?? 0) + 1);
      if (isLeft) left += 1;
      if (isLeft) report.failed += 1;
      else if (ran.value === true) report.done += 1;
    }
  }
}
