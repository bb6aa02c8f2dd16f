import type { Result } from 'neverthrow';
import type { DealState, Moment } from '../domain/payments/draft.js';
import {
  type FeePolicy,
  type Fees,
  type FeeTerms,
  noFees,
  planFees,
} from '../domain/payments/fees.js';
import { minorUnits } from '../domain/payments/ledger.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { Origin } from './commit.js';
import type { Call, Context } from './context.js';

/**
 * Reserves the ids of stages that are added to a deal. They come after those of its stages: another
 * process may have reserved those.
 */
export function reserveStages(
  { ports }: Context,
  { tenant }: Call,
  { stage }: DealState,
  count: number,
) {
  return ports.reserve(tenant.environment, count, stage.at(-1)?.id);
}

/** What a decision asks of ports, which may fail: then its result is thrown away. */
export function askPorts({ ports, creation, rules, ...days }: Context) {
  const { workDays, proposalDays, reviewNoticeDays, tolerance } = days;
  const { expiryNoticeDays } = creation;
  const wholeUnits = rules.wholeUnits === true;
  let failed: PortProblem | undefined;
  const or = <T>(answer: Result<T, PortProblem>, otherwise: T): T => {
    if (answer.isOk()) return answer.value;
    failed = answer.error;
    return otherwise;
  };
  return {
    problem: () => failed,
    moment({ at: now, real }: Origin, executes: boolean, firstStage: number): Moment {
      let stage = firstStage;
      // one literal: members beside a spread cost more than the rest of a small decision
      return {
        now,
        real,
        executes,
        workDays,
        proposalDays,
        reviewNoticeDays,
        expiryNoticeDays,
        tolerance,
        wholeUnits,
        newId: () => or(ports.nextId(), ''),
        digest: (text: string) => or(ports.digest(text), ''),
        feesOf: (terms: FeeTerms) => or(feesOf(creation.feePolicy, terms), noFees(terms)),
        stageId: () => stage++,
      };
    },
  };
}

function feesOf(policy: FeePolicy, { amount, ...terms }: FeeTerms): Result<Fees, PortProblem> {
  return planFees(policy, { ...terms, amount: minorUnits(amount) }).mapErr((cause) =>
    portProblem('feePolicy', { retryable: false, cause }),
  );
}
