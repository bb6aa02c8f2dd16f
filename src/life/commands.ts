import { mostStagesInAll } from '../domain/deals/proposal-input.js';
import { readEntry } from '../domain/input/parser.js';
import { commandEntries } from '../domain/life/command-input.js';
import {
  daysAfterProposal,
  daysOfExpiryNotice,
  daysOfReviewNotice,
  daysToAccept,
  daysToDecide,
  daysToPay,
  daysToReview,
} from '../domain/life/deadlines.js';
import { guards } from '../domain/life/guards.js';
import { mostProposals } from '../domain/life/proposals.js';
import type { Guard, Lifecycle, Rule } from '../domain/life/rules.js';
import type { ProposalKind } from '../domain/values/proposal-status.js';
import type { StageStatus } from '../domain/values/status.js';
import type { Actor } from '../domain/values/tenant.js';
import { dealMoves, isStay, ownStageMoves } from './moves.js';

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
  'tell-expiry': `${daysOfExpiryNotice} days before the deal expires (option expiryNoticeDays)`,
  expire: `${daysToAccept} days after the deal was created, or amended by its partner, and ${daysAfterProposal} after its proposals are open no more (version 1.0: with the option expireV1Deals)`,
  'tell-review-end': `${daysOfReviewNotice} days before a stage is approved by the clock (option reviewNoticeDays)`,
  approve: `${daysToReview} days after the stage was submitted`,
  'expire-payment': `${daysToPay} days after the payment was requested`,
  'expire-proposal': `${daysToDecide} days after it was proposed (option proposalDays)`,
  'tell-overdue': 'at the due date of a stage whose work was not delivered',
};

/** The events of proposals, of rows that have no event of the deal. */
const proposalEvents: Readonly<Record<string, string>> = {
  propose: 'proposal.created',
  'reject-proposal': 'proposal.rejected',
  'withdraw-proposal': 'proposal.withdrawn',
  'expire-proposal': 'proposal.expired',
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
    const { command, by, from, freelancer, stage, guards: own = [] } = rule;
    const { freelancerTo, countsAs, due, event = proposalEvents[command] } = rule;
    const ownMoves = moves.filter((move) => move.rule === rule);
    const reached = ownMoves.filter((move) => !isStay(move)).map((move) => move.to);
    return {
      command,
      by,
      from,
      ...(freelancer && { freelancer }),
      ...(stage && { stage }),
      guards: [...own, ...proposalGuards(rule)].map(({ reason, says }) => ({ reason, says })),
      input: by.every(isClock) ? [] : inputOf(rule),
      to: [...new Set(reached)],
      mayStay: ownMoves.some(isStay),
      stageTo: stageTargets(rule),
      ...(freelancerTo !== undefined && { freelancerTo }),
      ...(countsAs !== undefined && { countsAs }),
      ...(due && { due: deadlines[command] ?? 'at a time of its own' }),
      ...(event !== undefined && { event }),
    };
  });
}

type SaidGuard = Pick<Guard, 'reason' | 'says'>;

/** What the changes of a proposal of this kind are judged by. */
function changeGuards(kind: ProposalKind): readonly SaidGuard[] {
  if (kind === 'settlement') return [guards.noPayoutProcessing, guards.agreedWithinBounds];
  return [
    { reason: 'stages_required', says: 'one stage can still be changed, or the stages are listed' },
    {
      reason: 'stage_closed',
      says: 'stages that are approved or paid are listed by id alone, cancelled ones not at all',
    },
    {
      reason: 'too_many',
      says: `the deal would have at most ${mostStagesInAll} stages in all`,
    },
    {
      reason: 'amount_out_of_bounds',
      says: 'the amount is the sum of the stages; amounts keep to 18 digits, and in version 2.0 are above zero; in version 1.0 no budget becomes less than zero',
    },
    { reason: 'nothing_changed', says: 'the terms would be other ones' },
  ];
}

/** The conditions of a command about a proposal: its effect judges them, with the changes. */
function proposalGuards({ command, about = [] }: Rule): readonly SaidGuard[] {
  if (command !== 'propose' && command !== 'accept-proposal') return [];
  const ofChanges = about.flatMap(changeGuards);
  if (command === 'propose') {
    const says = `this side has made fewer than ${mostProposals} proposals`;
    return [...ofChanges, { reason: 'too_many', says }];
  }
  return [
    ...ofChanges,
    { reason: 'terms_changed', says: 'the hash is that of the terms as they would be now' },
    {
      reason: 'consent_needed',
      says: 'in version 1.0: a partner that accepts its own proposal needs no consent of the freelancer',
    },
  ];
}

const isClock = (actor: Actor): boolean => actor === 'clock';

function stageTargets(rule: Rule): readonly StageStatus[] {
  if (rule.addsStage) return ['approved'];
  const own = ownStageMoves(rule).map(({ to }) => to);
  return [...new Set(rule.stage === undefined ? own : [rule.stage.to])];
}

function inputOf(rule: Rule): readonly CommandInput[] {
  if (rule.about !== undefined) return proposalInput(rule);
  return Object.entries(commandEntries(rule)).map(([name, entry]) => {
    const { actions, optional } = readEntry(entry);
    const allowed = actions.find(({ params }) => params?.not_allowed !== undefined);
    return { name, required: !optional, ...allowed?.params?.not_allowed };
  });
}

/** A command about a proposal has a body of its own. */
function proposalInput({ command, about = [] }: Rule): readonly CommandInput[] {
  const own: Readonly<Record<string, readonly CommandInput[]>> = {
    propose: [
      { name: 'kind', required: true, allowed: about },
      { name: 'changes', required: true },
    ],
    'accept-proposal': [{ name: 'terms_sha256', required: true }],
  };
  return [...(own[command] ?? []), { name: 'message', required: false }];
}
