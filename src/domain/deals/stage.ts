import { err, ok, type Result } from 'neverthrow';
import type { Row } from '../records/records.js';
import { formatMoney, type Money } from '../values/money.js';
import { hasAtLeast, hasAtMost, isStorableText } from '../values/rule.js';
import type { StageStatus } from '../values/status.js';
import type { DealTerms } from './deal.js';

/** A part of a deal as a stage planner makes it; the store gives it its id. */
export interface StagePlan {
  /** 1 to 200 characters. */
  readonly name: string;
  readonly budget: Money;
  /** `null` sets none. */
  readonly work_days: number | null;
}

/** A new deal of either version, under the names of version 1.0. */
export interface PlannedDeal extends Omit<DealTerms, 'work_days'> {
  /** `null` in version 2.0. */
  readonly work_days: number | null;
}

/**
 * Splits a deal into stages. It is called once for each create whose input is valid, even if the
 * store then finds that the deal is not new. It must not do I/O. The budgets of its stages must sum
 * to the deal's budget, to the cent, and have no other sign (decision 2.6); `splitMoney` does that
 * for any weights, and with the deal's currency down to its unit, as the strict profile demands.
 */
export type StagePlanner = (deal: PlannedDeal) => readonly StagePlan[];

/** The default: one stage of the whole budget and all the work days. */
export const planOneStage: StagePlanner = ({ name, budget, work_days }) => [
  { name, budget, work_days },
];

/**
 * The stages of a new deal, or how the planner broke its promise: there is at least one stage, each
 * has a name, a budget and work days, and the budgets sum to the deal's, none of them with another
 * sign, or finer than this unit. A planner that throws breaks it too.
 */
export function planStages(
  planner: StagePlanner,
  deal: PlannedDeal,
  unit = 1n,
): Result<readonly StagePlan[], unknown> {
  try {
    const stages = planner(deal).map(({ name, budget, work_days }) => ({
      name,
      budget,
      work_days,
    }));
    const flaw =
      stages.length === 0 ? 'a deal has at least one stage' : findFlaw(stages, deal, unit);
    return flaw === undefined ? ok(stages) : err(flaw);
  } catch (cause) {
    return err(cause);
  }
}

function findFlaw(
  stages: readonly StagePlan[],
  deal: PlannedDeal,
  unit: bigint,
): string | undefined {
  let sum = 0n;
  for (const { name, budget, work_days } of stages) {
    if (!isStorableText(name) || !hasAtLeast(name, 1) || !hasAtMost(name, 200)) {
      return 'the name of a stage is well-formed text of 1 to 200 characters';
    }
    if (work_days !== null && !Number.isSafeInteger(work_days)) {
      return 'the work_days of a stage are an integer, or null';
    }
    // a stage below zero costs nothing, so the others would cost more than the deal
    if (deal.budget < 0n ? budget > 0n : budget < 0n) {
      return "the budgets of the stages have the deal's sign";
    }
    if (budget % unit !== 0n) return 'the budgets of the stages are whole units of the currency';
    sum += budget;
  }
  return sum === deal.budget ? undefined : "the budgets of the stages sum to the deal's";
}

/** The records of the stages of a new deal, numbered in their order. */
export function stageRows(
  stages: readonly StagePlan[],
  partner_id: string,
  firstId: number,
): readonly Row<'stage'>[] {
  return stages.map(({ name, budget, work_days }, index) => ({
    id: firstId + index,
    partner_id,
    name,
    budget: formatMoney(budget),
    work_days,
    status: 'pending',
    agreed_amount: null,
    submitted_at: null,
    notice_at: null,
    kind: null,
    started_at: null,
    deadline: null,
    overdue_told: null,
  }));
}

/** The states of a stage in which files can be uploaded for it (decision 6.4). */
export const openForFiles = ['pending', 'changes_requested'] as const satisfies StageStatus[];
