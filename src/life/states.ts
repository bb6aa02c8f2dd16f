import { reported } from '../domain/life/command-input.js';
import type { Lifecycle } from '../domain/life/rules.js';
import { ranks } from '../domain/values/payment-status.js';
import { initialStatuses } from '../domain/values/status.js';
import { dealMoves, isStay } from './deal-moves.js';
import { contractorMoves, each, employerMoves, type Move, stageMoves } from './moves.js';

/** The states of something, and how it gets from one to another. */
export interface States {
  /** The state in which it is created. */
  readonly start: string;
  /** One for each pair of states. A state that none leads out of is a final one. */
  readonly moves: readonly Move[];
}

/** The states of a deal, and of what belongs to it. */
export type LifeStates = Readonly<
  Record<'deal' | 'stage' | 'employer_payment' | 'contractor_payment', States>
>;

/**
 * The states of deals, of stages and of both kinds of payments, with the moves between them: what
 * the diagrams are drawn from. Guards are left out. Of an effect of your own rows it knows where the
 * row leads, and not what it does to stages and payments.
 *
 * @example
 * ```ts
 * import { describeStates, lifecycle } from 'dealwright/life';
 *
 * const { deal } = describeStates(lifecycle);
 * deal.moves.find(({ to }) => to === 'disputed')?.by; // ['dispute']
 * ```
 */
export function describeStates(lifecycle: Lifecycle): LifeStates {
  const ofRows = lifecycle.flatMap(({ command, stage }) =>
    stage === undefined ? [] : each(stage.from, stage.to, command),
  );
  return {
    deal: joined(
      initialStatuses.status,
      dealMoves(lifecycle).filter((move) => !isStay(move)),
    ),
    stage: joined('pending', [
      ...ofRows,
      // a resolution leaves an approved stage approved
      ...stageMoves.filter(({ from, to }) => from !== to),
    ]),
    employer_payment: joined('requested', withReports('record-employer-payment', employerMoves)),
    contractor_payment: joined(
      'scheduled',
      withReports('record-contractor-payment', contractorMoves),
    ),
  };
}

/**
 * A report leads to a status of a higher rank. One that takes a payment back before it was paid says
 * that it was paid too: it makes two moves.
 */
function withReports(command: keyof typeof reported, moves: readonly Move[]): readonly Move[] {
  // it tells of a refund, and the status follows from the sums
  const statuses: readonly string[] = reported[command].filter((each) => each !== 'refund_failed');
  const rank = (status: string) => ranks[status as keyof typeof ranks];
  const all = new Set([...moves.flatMap(({ from, to }) => [from, to]), ...statuses]);
  const byReport = statuses.flatMap((to) => {
    const least = rank(to) > ranks.paid ? ranks.paid : 0;
    const before = [...all].filter((from) => rank(from) >= least && rank(from) < rank(to));
    return each(before, to, command);
  });
  return [...byReport, ...moves];
}

function joined(start: string, moves: readonly Move[]): States {
  const states = [...new Set([start, ...moves.flatMap(({ from, to }) => [from, to])])];
  return {
    start,
    moves: states.flatMap((from) =>
      states.flatMap((to) => {
        const own = moves.filter((move) => move.from === from && move.to === to);
        const by = [...new Set(own.flatMap((move) => move.by))];
        return by.length === 0 ? [] : { from, to, by };
      }),
    ),
  };
}
