import { fromMinorUnits } from 'dealwright';
import {
  type Changes,
  type Command,
  type DealState,
  decide,
  type Lifecycle,
  lifecycle,
  type Moment,
  type Refusal,
} from 'dealwright/life';
import type { Result } from 'neverthrow';
import type { ProposalTerms } from '../../src/domain/deals/proposal-input.js';
import type { NotFound, WithoutMessage } from '../../src/domain/input/errors.js';
import { afterTheClock } from '../../src/domain/life/decide.js';
import { decideProposal, type ProposalCommand } from '../../src/domain/life/proposals.js';
import { planFees } from '../../src/domain/payments/fees.js';
import { openProposal } from '../../src/domain/terms/proposal.js';
import { cents } from './invariants.js';
import { type Kept, proposalsOf, rightHash } from './kept-rows.js';
import type { Wish } from './model-rules.js';
import type { Amendment } from './model-state.js';
import { digest } from './model-terms.js';
import { feesFor, instant, money, type Shape } from './states.js';

/** A table of any host: its commands are not known to the compiler. */
const table: Lifecycle = lifecycle;

/** A command in the words of the code. */
export type Given =
  | { readonly about: 'deal'; readonly command: Command }
  | { readonly about: 'proposal'; readonly command: ProposalCommand };

/** The fees of a deal of this shape, whatever it is worth. */
export const policyOf =
  (shape: Shape) =>
  ({ amount }: { readonly amount: string }) => {
    const { employerFee, contractorFee } = feesFor(shape, cents(amount));
    return { employer_fee: money(employerFee), contractor_fee: money(contractorFee) };
  };

/** The moment of a command, with what the use cases bring along. */
export function momentOf(
  shape: Shape,
  now: number,
  newId: () => string,
  stageId: () => number = () => 0,
): Moment {
  return {
    now: instant(now),
    newId,
    digest,
    stageId,
    tolerance: fromMinorUnits(shape.tolerance ?? 0n),
    wholeUnits: shape.wholeUnits === true,
    feesOf({ amount, ...terms }) {
      const worth = fromMinorUnits(cents(amount));
      return planFees(policyOf(shape), { ...terms, amount: worth })._unsafeUnwrap();
    },
  };
}

type GivenError = Refusal | WithoutMessage<NotFound>;

/** Gives a command to the code. */
export function giveCode(
  state: DealState,
  { proposal }: Kept,
  given: Given,
  moment: Moment,
): Result<Changes, GivenError> {
  const decideNow = (deal: DealState): Result<Changes, GivenError> => {
    if (given.about === 'deal') return decide(table, deal, given.command, moment);
    const { command } = given;
    const id = 'proposal_id' in command ? command.proposal_id : undefined;
    const found = [openProposal(state.deal), ...proposal].find((each) => each?.id === id);
    return decideProposal(table, deal, command, moment, found).map(({ changes }) => changes);
  };
  const isOfClock = given.about === 'deal' && given.command.actor === 'clock';
  return isOfClock ? decideNow(state) : afterTheClock(table, state, moment, decideNow);
}

const proposedAmendment = ({ amount, stages, ...rest }: Amendment) => ({
  ...rest,
  ...(amount !== undefined && { amount: fromMinorUnits(amount) }),
  ...(stages !== undefined && {
    stages: stages.map(({ budget, ...each }) => ({
      ...each,
      ...(budget !== undefined && { budget: fromMinorUnits(budget) }),
    })),
  }),
});

function proposed(changes: Wish['changes'] = {}): ProposalTerms {
  const terms: object =
    typeof changes === 'bigint'
      ? { kind: 'settlement', changes: { agreed_amount: fromMinorUnits(changes) } }
      : { kind: 'amendment', changes: proposedAmendment(changes) };
  return terms as ProposalTerms;
}

const wrong = '0'.repeat(64);

/** The command of a wish, for a deal in this state. */
export function commandOf(wish: Wish, state: DealState, kept: Kept): Given {
  const { name, actor, stage, agreed, payout, report, hash } = wish;
  if (name === 'propose') {
    const command: object = { name, actor, input: proposed(wish.changes) };
    return { about: 'proposal', command: command as ProposalCommand };
  }
  if (name.endsWith('-proposal') && name !== 'expire-proposal') {
    const row = proposalsOf(state, kept)[wish.proposal ?? -1];
    const terms_sha256 = hash === 'right' ? row?.terms_sha256 : wrong;
    const command: object = {
      ...{ name, actor, proposal_id: row?.id ?? 'unknown' },
      ...(name === 'accept-proposal' && { terms_sha256: terms_sha256 ?? wrong }),
    };
    return { about: 'proposal', command: command as ProposalCommand };
  }
  const { employer_payment, contractor_payment } = state;
  const idOf = (all: readonly { readonly id: string }[], index: number) =>
    all[index]?.id ?? 'unknown';
  const payments = name === 'record-employer-payment' ? employer_payment : contractor_payment;
  const command: Command = {
    name,
    actor: actor as Command['actor'],
    ...(stage !== undefined && { stage_id: stage }),
    ...(['dispute', 'cancel', 'request-changes', 'write-off'].includes(name) && {
      reason: 'because',
    }),
    ...(name === 'resolve' && { agreed_amount: fromMinorUnits(agreed ?? 0n) }),
    ...(name === 'write-off' && { amount: fromMinorUnits(wish.amount ?? 1n) }),
    ...(name === 'add-bonus' && { amount: fromMinorUnits(wish.bonus ?? 1n) }),
    ...(hash !== undefined && { terms_sha256: hash === 'right' ? rightHash(state) : wrong }),
    ...(payout !== undefined && { payment_id: idOf(contractor_payment, payout) }),
    ...(report !== undefined && {
      report: {
        status: report.status,
        reference: referenceOf(state, report.reference),
        ...(report.amount !== undefined && { amount: fromMinorUnits(report.amount) }),
        ...(report.payment !== undefined && { payment_id: idOf(payments, report.payment) }),
      } as Command['report'] & object,
    }),
  };
  return { about: 'deal', command };
}

/** `intent 3` means the id of the third intent, if there are so many. */
export function referenceOf({ intent }: DealState, reference: string): string {
  const place = /^intent (\d+)$/.exec(reference)?.[1];
  return intent[Number(place)]?.id ?? reference;
}
