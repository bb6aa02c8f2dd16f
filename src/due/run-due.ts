import { err, ok, type Result } from 'neverthrow';
import type { RunFailure, RunReport } from '../api/answers.js';
import { type Environment, nameOf, type Tenant } from '../domain/values/tenant.js';
import { faultOf, type PortProblem } from '../ports/answer.js';
import { createSlots } from '../relay/tasks.js';
import type { Context } from '../usecases/context.js';
import { type DueKind, type DueWork, noWaits, oneEnds, takeTurn } from '../usecases/take-turn.js';
import { tenantsAtOnce, tenantsDue } from './tenants-due.js';

/** How many failures a report describes. */
const mostFailures = 100;

/** The longest run of an operator, in milliseconds: the next run does the rest. */
const longestRun = 60_000;

/**
 * Does the due work of every tenant of an environment. Tenants take turns, some of them at once. A
 * run may be stopped at any moment, and any number of runs may go on at once: one write decides
 * which process does each piece of work.
 */
export async function runDue<K extends DueKind>(
  context: Context,
  environment: Environment,
  work: DueWork<K>,
): Promise<Result<RunReport, PortProblem>> {
  const { timer } = context;
  const listed = await tenantsDue(context, [environment]);
  if (listed.isErr()) return err(listed.error);
  const report = beginReport();
  const until = timer.now() + longestRun;
  const isOver = () => timer.now() >= until;
  const slots = createSlots(timer, tenantsAtOnce);
  const left = new Set(listed.value.map(({ tenant }) => tenant));

  const runTenant = async (tenant: Tenant) => {
    const waits = noWaits<K>();
    while (!isOver()) {
      const turn = await slots(nameOf(tenant), async () =>
        isOver() ? ok('more') : takeTurn(context, tenant, work, report, { waits, until }),
      );
      // the next run tries a failed record again
      for (const known of waits.records.values()) {
        if (known.pause > 0) known.until = Number.POSITIVE_INFINITY;
      }
      if (turn.isErr()) {
        report.failed(ofPort(tenant, turn.error));
        await Promise.all(waits.underWay.values());
      }
      if (turn.isOk() && turn.value === 'more') continue;
      if (waits.underWay.size === 0) {
        left.delete(tenant);
        return;
      }
      await oneEnds(context, waits, until);
    }
  };
  let cancel = () => {};
  const end = new Promise<void>((resolve) => {
    cancel = timer.sleep(longestRun, resolve);
  });
  await Promise.race([Promise.all([...left].map(runTenant)), end]);
  cancel();
  for (const { partner } of left) {
    report.failed({ partner, partner_id: '', reason: 'the run ended before all of it was done' });
  }
  return ok(report.answer());
}

/** Counts successes and failures until the report is made. */
function beginReport() {
  let [done, failed] = [0, 0];
  const failures: RunFailure[] = [];
  return {
    done() {
      done += 1;
    },
    failed(failure: RunFailure) {
      failed += 1;
      if (failed <= mostFailures) failures.push(failure);
    },
    answer: (): RunReport => ({ done, failed, failures: [...failures] }),
  };
}

/** The failure of a port for a whole tenant. */
function ofPort({ partner }: Tenant, problem: PortProblem): RunFailure {
  const failure = { partner, partner_id: '', reason: faultOf(problem) };
  return Object.defineProperty(failure, 'cause', { value: problem.cause });
}
