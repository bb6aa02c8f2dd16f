import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';
import { acceptanceEntries, remarkEntries, shownChanges } from '../domain/deals/proposal-input.js';
import {
  type CommandError,
  notFound,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { createParser } from '../domain/input/parser.js';
import {
  decideProposal,
  isAtOnce,
  type ProposalCommand,
  type Side,
} from '../domain/life/proposals.js';
import { openProposal, type ProposalRow } from '../domain/terms/proposal.js';
import { isUlid } from '../domain/values/ulid.js';
import type { PortProblem } from '../ports/answer.js';
import type { Call, Context, Refusal } from './context.js';
import type { Finder } from './find-deal.js';
import { type Change, change } from './give-command.js';
import { findProposal } from './kept-terms.js';

type NotGiven = WithoutMessage<CommandError>;
type Answer<T, R> = Promise<Result<T, NotGiven | R>>;

/** How a face gives a command about a proposal, and shows it. */
export interface Face<T, R> {
  readonly finder: Finder<R>;
  readonly show: (proposal: ProposalRow) => T;
  /** The face of the answer, if it is not the actor's. */
  readonly face?: 'sandbox';
}

/** Proposes other terms of a deal (decision 9). */
export async function propose<T, R extends Refusal>(
  context: Context,
  call: Call,
  input: unknown,
  face: Face<T, R>,
): Answer<T, R> {
  const parsed = context.parseProposal(input === undefined ? {} : input);
  if (parsed.isErr()) return refuseInput(face, validationFailed(...parsed.error));
  const proposal = parsed.value;
  const stages = proposal.kind === 'amendment' ? proposal.changes.stages : undefined;
  const { message } = proposal;
  return decide(context, call, face, {
    command: { name: 'propose', actor: call.actor as Side, input: proposal },
    input: { kind: proposal.kind, changes: shownChanges(proposal), ...(message && { message }) },
    newStages: (state) => (isAtOnce(state, call.actor) ? newOnes(stages) : 0),
    keyLife: 'forGood',
  });
}

/** The decisions about a proposal, as paths name them. */
const decisions = {
  accept: 'accept-proposal',
  reject: 'reject-proposal',
  withdraw: 'withdraw-proposal',
} as const;

export type Decision = keyof typeof decisions;

const parseAcceptance = /* @__PURE__ */ createParser(
  /* @__PURE__ */ v.object(/* @__PURE__ */ acceptanceEntries()),
);
const parseRemark = /* @__PURE__ */ createParser(
  /* @__PURE__ */ v.object(/* @__PURE__ */ remarkEntries()),
);

/** Accepts, rejects or withdraws a proposal. */
export async function decideProposalOf<T, R extends Refusal>(
  context: Context,
  call: Call,
  decision: Decision,
  proposal_id: unknown,
  input: unknown,
  face: Face<T, R>,
): Answer<T, R> {
  // a path may name anything
  if (!Object.hasOwn(decisions, decision)) return err(notFound('operation'));
  const parse = decision === 'accept' ? parseAcceptance : parseRemark;
  const parsed = parse(input === undefined ? {} : input);
  if (parsed.isErr()) return refuseInput(face, validationFailed(...parsed.error));
  if (!isUlid(proposal_id)) return refuseInput(face, notFound('proposal'));
  const name = decisions[decision];
  const words: object = parsed.value;
  return decide(context, call, face, {
    command: { name, actor: call.actor as Side, proposal_id, ...words },
    input: { proposal_id, ...words },
    newStages: ({ deal }) => {
      const open = decision === 'accept' ? openProposal(deal) : undefined;
      return open?.id === proposal_id ? newOnes(JSON.parse(open.changes).stages) : 0;
    },
    keyLife: 'forDays',
  });
}

const newOnes = (stages: readonly { readonly id?: number }[] = []): number =>
  stages.filter(({ id }) => id === undefined).length;

/** A caller that may not see the deal learns nothing else; the form is judged before the deal. */
async function refuseInput<T, R extends Refusal>(
  { finder }: Face<T, R>,
  refusal: NotGiven,
): Answer<T, R> {
  const seen = await finder.find([]);
  const isFirst = (code: R['code']) =>
    code === 'unauthorized' || (code === 'not_found' && refusal.code === 'not_found');
  return seen.isErr() && isFirst(seen.error.code) ? err(seen.error) : err(refusal);
}

/** A command about a proposal, on its way to a decision. */
interface Given extends Pick<Change<unknown>, 'newStages' | 'keyLife'> {
  readonly command: ProposalCommand;
  /** Its canonical input. */
  readonly input: object;
}

function decide<T, R extends Refusal>(
  context: Context,
  call: Call,
  { finder, show, face }: Face<T, R>,
  { command, input, ...given }: Given,
): Answer<T, R> {
  // of the latest attempt: `prepare` reads the one, `decide` makes the other, `show` comes last
  let closed: ProposalRow | undefined;
  let proposal: ProposalRow | undefined;
  const who = `${face === undefined ? '' : `${face} `}${command.actor}`;
  return context.commands(finder.name, () =>
    change<T, R>(context, call, finder, {
      ...given,
      proposed: { proposal: () => proposal as ProposalRow, show },
      keyed: ({ deal: { partner_id } }) => ({
        operation: command.name,
        input,
        keyScope: `command ${who} ${partner_id}`,
      }),
      async prepare(state): Promise<Result<void, PortProblem>> {
        if (command.name === 'propose') return ok(undefined);
        const found = await findProposal(context, call, state, command.proposal_id);
        if (found.isErr()) return err(found.error);
        closed = found.value;
        return ok(undefined);
      },
      decide: (state, moment) =>
        decideProposal(context.lifecycle, state, command, moment, closed).map((decided) => {
          proposal = decided.proposal;
          return decided.changes;
        }),
      show: () => show(proposal as ProposalRow),
    }),
  );
}
