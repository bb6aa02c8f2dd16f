import { err, ok, type Result } from 'neverthrow';
import { type ProposalTerms, shownChanges } from '../deals/proposal-input.js';
import { type NotFound, notFound, validationFailed, type WithoutMessage } from '../input/errors.js';
import {
  type Changes,
  createDraft,
  type DealState,
  type Draft,
  dealEvent,
  type Moment,
} from '../payments/draft.js';
import type { Fees } from '../payments/fees.js';
import { follow } from '../payments/follow.js';
import { minorUnits } from '../payments/ledger.js';
import { secretsIn } from '../records/stored.js';
import { amend } from '../terms/amend.js';
import {
  amended,
  changedStages,
  closeProposal,
  proposalEvent,
  readInput,
  supersede,
} from '../terms/open-proposal.js';
import { keptProposal, openProposal, type ProposalRow } from '../terms/proposal.js';
import { canonicalJson, hashOf, type Terms, termsOf, versionOf } from '../terms/terms.js';
import { addVersion, feesNow, worthOf } from '../terms/versions.js';
import { formatMoney } from '../values/money.js';
import type { ProposalStatus } from '../values/proposal-status.js';
import type { Actor } from '../values/tenant.js';
import { daysAfter, daysToDecide } from './deadlines.js';
import { finish, illegal, isFor, isLegal, type Refusal, type Standing } from './decide.js';
import { agree } from './effects.js';
import { guards } from './guards.js';
import { finerMoney } from './money-given.js';
import type { Lifecycle, Rule } from './rules.js';

/** One side of a deal. */
export type Side = 'partner' | 'freelancer';

/** A command about a proposal (decision 9.2). */
export type ProposalCommand =
  | { readonly name: 'propose'; readonly actor: Side; readonly input: ProposalTerms }
  | {
      readonly name: 'accept-proposal' | 'reject-proposal' | 'withdraw-proposal';
      readonly actor: Side;
      readonly proposal_id: string;
      /** The terms that an acceptance consents to. */
      readonly terms_sha256?: string;
      readonly message?: string;
    };

/** The changes of such a command, and the proposal after it. */
export interface Proposed {
  readonly changes: Changes;
  readonly proposal: ProposalRow;
}

/** The most proposals of each side of a deal (decision 9.15). */
export const mostProposals = 500;

type Decided = Result<Proposed, Refusal | WithoutMessage<NotFound>>;

/**
 * Decides what a command about a proposal does to a deal. `closed` is the proposal that it names, if
 * that is not the open one.
 */
export function decideProposal(
  lifecycle: Lifecycle,
  state: DealState,
  command: ProposalCommand,
  moment: Moment,
  closed?: ProposalRow,
): Decided {
  return command.name === 'propose'
    ? propose(lifecycle, state, command, moment)
    : decideOn(lifecycle, state, command, moment, closed);
}

/** The row of a command about a proposal of this kind, if the deal has it in its state. */
function rowOf(
  lifecycle: Lifecycle,
  state: DealState,
  name: string,
  actor: Side,
  kind: ProposalRow['kind'],
): Rule | undefined {
  return lifecycle.find(
    (rule) =>
      rule.command === name &&
      rule.about?.includes(kind) === true &&
      isFor(rule, state, actor) &&
      isLegal(rule, state),
  );
}

function refuse(
  lifecycle: Lifecycle,
  state: DealState,
  actor: Side,
  proposal_status?: ProposalStatus,
): Result<never, Refusal> {
  const refusal = illegal(lifecycle, state, actor);
  return err({ ...refusal, ...(proposal_status !== undefined && { proposal_status }) });
}

function propose(
  lifecycle: Lifecycle,
  state: DealState,
  { actor, input }: ProposalCommand & { readonly name: 'propose' },
  moment: Moment,
): Decided {
  const { kind, message } = input;
  const secrets = textsOf(input).flatMap(([path, text]) =>
    secretsIn(state.deal, { text }).map((each) => ({ ...each, path })),
  );
  const findings = [...secrets, ...finerMoney(state, input, moment)];
  if (findings.length > 0) return err(validationFailed(...findings));
  const rule = rowOf(lifecycle, state, 'propose', actor, kind);
  if (rule === undefined) return refuse(lifecycle, state, actor);
  const trial = tryOut(state, input, moment);
  if (trial.isErr()) return err(trial.error);
  const { terms, gross, fees } = trial.value;
  const draft = createDraft(state, moment);
  const before = openProposal(state.deal);
  const superseded = supersede(draft);
  const text = canonicalJson(terms);
  const opened: ProposalRow = {
    id: moment.newId(),
    kind,
    proposed_by: actor,
    status: 'open',
    changes: JSON.stringify(shownChanges(input)),
    terms: text,
    terms_sha256: hashOf(text, moment),
    gross,
    ...fees(),
    message: message ?? null,
    supersedes: superseded?.id ?? null,
    created_at: moment.now,
    expires_at: daysAfter(moment.now, moment.proposalDays ?? daysToDecide),
    decided_at: null,
  };
  proposalEvent(draft, opened, 'created', message);
  const hasEffect = isAtOnce(state, actor);
  let proposal = opened;
  if (hasEffect) {
    proposal = closeProposal(draft, opened, 'accepted');
    applyTo(draft, input);
    conclude(draft, proposal, null, proposal);
  } else draft.change('deal', draft.state.deal, { proposal: keptProposal(opened, terms) });
  const count = mostProposals - Number(before?.proposed_by === actor);
  const changes = finish(lifecycle, draft, hasEffect ? 'amended' : undefined);
  return ok({ changes: { ...changes, atMost: { proposed_by: actor, count } }, proposal });
}

/**
 * Whether a proposal takes effect at once: before anybody has accepted it, an offer is its partner's
 * to change.
 */
export function isAtOnce({ deal }: Pick<DealState, 'deal'>, actor: Actor): boolean {
  return deal.status === 'created' && actor === 'partner';
}

/** The texts of a proposal, each with its path. */
function textsOf({
  kind,
  changes,
  message,
}: ProposalTerms): readonly (readonly [readonly string[], string | undefined])[] {
  const words = [['message'], message] as const;
  if (kind === 'settlement') return [words];
  const { title, description, stages = [] } = changes;
  return [
    words,
    [['changes', 'title'], title],
    [['changes', 'description'], description],
    ...stages.map(({ name }, at) => [['changes', 'stages', `${at}`, 'name'], name] as const),
  ];
}

type Trial = Pick<ProposalRow, 'gross'> & {
  readonly terms: Terms;
  fees(): Fees;
};

/** The terms as they would be, what they are worth and their fees, or why they cannot be. */
function tryOut(state: DealState, input: ProposalTerms, moment: Moment): Result<Trial, Refusal> {
  const { stageId: _, ...rest } = moment;
  const draft = createDraft(state, { ...rest, newId: () => '' });
  const refusal = applyTo(draft, input);
  if (refusal !== undefined) return err(refusal);
  const gross = formatMoney(worthOf(draft.state));
  return ok({ terms: termsAfter(draft, input), gross, fees: () => feesNow(draft) });
}

/** The terms that a draft was changed to; of a settlement those of before, and its amount. */
function termsAfter({ before, state }: Draft, { kind, changes }: ProposalTerms): Terms {
  const version = versionOf(before.deal) + 1;
  if (kind === 'settlement') {
    return { ...termsOf(before, version), agreed_amount: formatMoney(changes.agreed_amount) };
  }
  const known = new Set(before.stage.map(({ id }) => id));
  return termsOf(state, version, (id) => !known.has(id));
}

/** Changes a deal as a proposal says, or returns why that cannot be. */
function applyTo(draft: Draft, { kind, changes }: ProposalTerms): Refusal | undefined {
  const { state, now } = draft;
  if (kind === 'amendment') {
    const problem = amend(draft, changes);
    return typeof problem === 'string' ? failed(problem) : problem;
  }
  const command = { name: 'resolve', actor: 'operator', ...changes } as const;
  const broken = [guards.noPayoutProcessing, guards.agreedWithinBounds].find(
    (guard) => !guard.holds({ state, command, now }),
  );
  if (broken !== undefined) return failed(broken.reason);
  agree(draft, command);
  return undefined;
}

const failed = (reason: (Refusal & { code: 'precondition_failed' })['reason']): Refusal => ({
  code: 'precondition_failed',
  reason,
});

/** Notes the version that a proposal has made, and says what became of the deal. */
function conclude(
  draft: Draft,
  proposal: ProposalRow,
  accepted_by: Side | null,
  { employer_fee, contractor_fee }: Fees,
): void {
  const { before, state } = draft;
  const { kind, id: proposal_id, proposed_by } = proposal;
  const terms = JSON.parse(proposal.terms) as Terms;
  const isOffer = before.deal.status === 'created';
  addVersion(draft, {
    ...{ kind, proposal_id, proposed_by, accepted_by: isOffer ? null : accepted_by },
    terms,
    fees: { employer_fee, contractor_fee },
  });
  if (before.deal.amount !== state.deal.amount) {
    const { issued_amount, amount } = before.deal;
    draft.change('deal', draft.state.deal, { issued_amount: issued_amount ?? amount });
  }
  if (kind === 'settlement') draft.change('deal', draft.state.deal, { status: 'approved' });
  follow(draft);
  const { terms_version } = draft.state.deal;
  const stage_ids = changedStages(draft);
  const name = kind === 'settlement' ? 'deal.settled' : 'deal.amended';
  const { agreed_amount } = terms;
  const amount = agreed_amount === undefined ? {} : { agreed_amount };
  dealEvent(draft, name, { terms_version, proposal_id, stage_ids, ...amount });
  if (isOffer && accepted_by !== null) {
    const statuses = { status: 'accepted', freelancer_status: 'accepted' } as const;
    draft.change('deal', draft.state.deal, { ...statuses, accepted_by });
    dealEvent(draft, 'deal.accepted', {});
  }
  if (draft.state.deal.status === 'completed')
    dealEvent(draft, 'deal.completed', { stage_ids: [] });
}

/** Whether the partner stands for the freelancer, too: one of version 1.0 has no token. */
const isForBoth = ({ deal }: Standing, actor: Actor) =>
  deal.api_version === '1.0' && actor === 'partner';

/** Whether a decision is one of this side: the proposer withdraws, the other side answers. */
export function isOfSide(
  decision: string,
  { proposed_by }: Pick<ProposalRow, 'proposed_by'>,
  state: Standing,
  actor: Actor,
): boolean {
  const isOwn = proposed_by === actor;
  return isForBoth(state, actor) || isOwn === (decision === 'withdraw-proposal');
}

/** The status of a proposal after each decision. */
const outcomes = {
  'accept-proposal': 'accepted',
  'reject-proposal': 'rejected',
  'withdraw-proposal': 'withdrawn',
} as const;

function decideOn(
  lifecycle: Lifecycle,
  state: DealState,
  command: Exclude<ProposalCommand, { readonly name: 'propose' }>,
  moment: Moment,
  closed: ProposalRow | undefined,
): Decided {
  const { name, actor, proposal_id, message } = command;
  const secrets = secretsIn(state.deal, { message });
  if (secrets.length > 0) return err(validationFailed(...secrets));
  const open = openProposal(state.deal);
  const found = open?.id === proposal_id ? open : closed;
  if (found === undefined) return err(notFound('proposal'));
  const isOver = found.expires_at <= moment.now;
  // it may have been read before the clock, which goes first, has ended it
  const isEnded = found.status === 'open' && (isOver || found !== open);
  const status = !isEnded ? found.status : isOver ? 'expired' : 'superseded';
  // nobody else gives it, not even again
  const isKnown = lifecycle.some(({ command: of, by }) => of === name && by.includes(actor));
  if (!isOfSide(name, found, state, actor) || !isKnown)
    return refuse(lifecycle, state, actor, status);
  const draft = createDraft(state, moment);
  if (status === outcomes[name]) return ok({ changes: draft.changes(), proposal: found });
  const rule = status === 'open' && rowOf(lifecycle, state, name, actor, found.kind);
  if (!rule) return refuse(lifecycle, state, actor, status);
  if (name !== 'accept-proposal') {
    const proposal = closeProposal(draft, found, outcomes[name], message);
    return ok({ changes: finish(lifecycle, draft), proposal });
  }
  const input = readInput(found);
  const trial = tryOut(state, input, moment);
  if (trial.isErr()) return err(trial.error);
  const hash = hashOf(canonicalJson(trial.value.terms), moment);
  // the deal may have moved on since it was proposed
  if (hash !== found.terms_sha256 || hash !== command.terms_sha256) {
    return err(failed('terms_changed'));
  }
  const isOwn = found.proposed_by === actor;
  if (isForBoth(state, actor) && isOwn && needsConsent(state, input)) {
    return err(failed('consent_needed'));
  }
  // what is paid since is worth what it was, whatever is agreed on for the rest
  const fees = trial.value.gross === found.gross ? found : trial.value.fees();
  const proposal = closeProposal(draft, found, 'accepted', message);
  applyTo(draft, input);
  conclude(draft, proposal, actor, fees);
  const what = found.kind === 'settlement' ? 'resolved' : 'amended';
  return ok({ changes: finish(lifecycle, draft, what), proposal });
}

/** What only a freelancer can consent to, in a deal whose freelancer has no face (decision 9.2). */
function needsConsent(state: DealState, input: ProposalTerms): boolean {
  if (input.kind === 'settlement') return true;
  const draft = amended(state, input.changes);
  const touched = changedStages(draft);
  const isWorked = ({ status }: { readonly status: string }) =>
    status === 'submitted' || status === 'changes_requested';
  const isTouched = state.stage.some((each) => isWorked(each) && touched.includes(each.id));
  const [was, is] = [minorUnits(state.deal.amount), minorUnits(draft.state.deal.amount)];
  return isTouched || (is < was && is < draft.books.balance().net);
}
