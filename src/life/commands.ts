import { readEntry } from '../domain/input/parser.js';
import { commandEntries } from '../domain/life/command-input.js';
import { daysToAccept, daysToPay, daysToReview } from '../domain/life/deadlines.js';
import type { Guard, Lifecycle, Rule } from '../domain/life/rules.js';
import type { StageStatus } from '../domain/values/status.js';
import type { Actor } from '../domain/values/tenant.js';
import { dealMoves, isStay, stageMoves } from './moves.js';

/** One member of the input of a command. */
export interface CommandInput {
  readonly name: string;
  readonly required: boolean;
  /** Its values, if they are listed. */
  readonly allowed?: readonly string[];
}

/** One row of a life cycle, as plain data. */
export interface CommandDescription
  extends Pick<Rule, 'command' | 'by' | 'from' | 'freelancer' | 'stage' | 'freelancerTo'>,
    Pick<Rule, 'countsAs' | 'event'> {
  readonly guards: readonly Pick<Guard, 'reason' | 'says'>[];
  readonly input: readonly CommandInput[];
  /** The states that it can lead the deal to. */
  readonly to: readonly string[];
  /** Whether the deal can also keep its state. */
  readonly mayStay: boolean;
  /** The states that it leads stages to; the end of a deal cancels those that are not paid. */
  readonly stageTo: readonly StageStatus[];
  /** Of the clock: when it is due, in words. */
  readonly due?: string;
}

const deadlines: Readonly<Record<string, string>> = {
  expire: `${daysToAccept} days after the deal was created (version 1.0: with the option expireV1Deals)`,
  approve: `${daysToReview} days after the stage was submitted`,
  'expire-payment': `${daysToPay} days after the payment was requested`,
};

/**
 * Describes the rows of a life cycle as plain data, from which to make a document. If the state of
 * the deal follows from its stages, `to` has every state that it can become.
 *
 * @example
 * ```ts
 * import { describeCommands, lifecycle } from 'dealwright/life';
 *
 * const approve = describeCommands(lifecycle).find(({ command }) => command === 'approve');
 * approve?.to; // ['approved']
 * ```
 */
export function describeCommands(lifecycle: Lifecycle): readonly CommandDescription[] {
  const moves = dealMoves(lifecycle);
  return lifecycle.map((rule) => {
    const { command, by, from, freelancer, stage, guards = [] } = rule;
    const { freelancerTo, countsAs, due, event } = rule;
    const own = moves.filter((move) => move.rule === rule);
    const reached = own.filter((move) => !isStay(move)).map((move) => move.to);
    return {
      command,
      by,
      from,
      ...(freelancer && { freelancer }),
      ...(stage && { stage }),
      guards: guards.map(({ reason, says }) => ({ reason, says })),
      input: by.every(isClock) ? [] : inputOf(rule),
      to: [...new Set(reached)],
      mayStay: own.some(isStay),
      stageTo: stageTargets(rule),
      ...(freelancerTo !== undefined && { freelancerTo }),
      ...(countsAs !== undefined && { countsAs }),
      ...(due && { due: deadlines[command] ?? 'at a time of its own' }),
      ...(event !== undefined && { event }),
    };
  });
}

const isClock = (actor: Actor): boolean => actor === 'clock';

function stageTargets({ command, stage }: Rule): readonly StageStatus[] {
  const own = stageMoves.filter(({ by }) => by.includes(command)).map(({ to }) => to);
  return [...new Set(stage === undefined ? own : [stage.to])];
}

function inputOf(rule: Rule): readonly CommandInput[] {
  return Object.entries(commandEntries(rule)).map(([name, entry]) => {
    const { actions, optional } = readEntry(entry);
    const allowed = actions.find(({ params }) => params?.not_allowed !== undefined);
    return { name, required: !optional, ...allowed?.params?.not_allowed };
  });
}
