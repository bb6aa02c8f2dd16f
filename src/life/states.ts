import { reported } from '../domain/life/command-input.js';
import type { Lifecycle } from '../domain/life/rules.js';
import { ranks } from '../domain/values/payment-status.js';
import { initialStatuses } from '../domain/values/status.js';
import {
  contractorMoves,
  dealMoves,
  each,
  employerMoves,
  isStay,
  type Move,
  stageMoves,
} from './moves.js';

/** The states of something, and the moves between them. */
export interface States {
  /** The state in which it is created. */
  readonly start: string;
  /** One for each pair of states. A state without a move out of it is final. */
  readonly moves: readonly Move[];
}

/** The states of a deal, and of its parts. */
export type LifeStates = Readonly<
  Record<'deal' | 'stage' | 'employer_payment' | 'contractor_payment', States>
>;

/**
 * The states of deals, of stages and of both kinds of payments, with the moves between them: the
 * diagrams are drawn from them. Guards are left out. Of an effect of your own rows only the moves
 * of the deal are known, not those of stages and payments.
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
      // a resolution keeps an approved stage approved
      ...stageMoves.filter(({ from, to }) => from !== to),
    ]),
    employer_payment: joined('requested', withReports('record-employer-payment', employerMoves)),
    contractor_payment: joined(
      'scheduled',
      withReports('record-contractor-payment', contractorMoves),
    ),
  };
}

/** Reports after which the status follows from the sums. */
const bySums: ReadonlySet<string> = new Set(['refund_failed', 'charge_back_reversed', 'voided']);

/**
 * A report leads to a status of a higher rank. One that takes back a payment before it was paid
 * says that it was paid too, and makes two moves.
 */
function withReports(command: keyof typeof reported, moves: readonly Move[]): readonly Move[] {
  const statuses = reported[command].filter((each) => !bySums.has(each));
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
