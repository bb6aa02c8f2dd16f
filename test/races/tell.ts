import {
  applyChanges,
  type Changes,
  type Command,
  decide,
  type Emitted,
  type Lifecycle,
  lifecycle,
  type Moment,
} from 'dealwright/life';
import { workFileOf } from '../../src/domain/deals/work-file.js';
import { inWords } from '../../src/domain/input/messages.js';
import { createCommandParser } from '../../src/domain/life/command-input.js';
import { createLegal } from '../../src/domain/life/legal.js';
import { decideProposal, type ProposalCommand } from '../../src/domain/life/proposals.js';
import { isOf } from '../../src/domain/life/rules.js';
import { shownProposal } from '../../src/domain/terms/proposal.js';
import { operatorView, partnerView } from '../../src/usecases/retrieve-deal.js';
import { keep } from '../life/kept-rows.js';
import type { RaceState } from './race.js';
import type { Wish } from './wishes.js';

/** The effect of a call on a deal without other changes, and its answer. */
export interface Told {
  readonly state: RaceState;
  readonly events: readonly Emitted[];
  /** Whether there is a write: a report may be recorded that changes nothing else. */
  readonly isWritten: boolean;
  readonly isOk: boolean;
  answer(): unknown;
}

const table: Lifecycle = lifecycle;
const parse = createCommandParser(table);

/** The marketplace of a race has names for nobody. */
const known = { legal: createLegal(table), nameOf: () => null };
const whose = { tenant: { environment: 'sandbox', partner: 'anyone' } } as const;

/** The result of a call in this state of the deal, only by the table of the life cycle. */
export function tell(state: RaceState, wish: Wish, moment: Moment): Told {
  if (wish.name === 'upload') return tellUpload(state, wish, moment);
  if (/^propose$|-proposal$/.test(wish.name)) return tellProposal(state, wish, moment);
  const named = table.filter((each) => each.command === wish.name && isOf(each, wish.actor));
  const rule = named.find(({ by }) => by.includes(wish.actor)) ?? named[0];
  if (rule === undefined) throw new Error(`nobody knows ${wish.name}`);
  const said = parse(rule, wish.input)._unsafeUnwrap();
  const command: Command = { ...said, name: wish.name, actor: wish.actor };
  const decided = decide(table, state, command, { ...moment, executes: false });
  if (decided.isErr()) return refused(state, () => inWords(decided.error, 'en'));
  const { insert, change, events } = decided.value;
  const after = changed(state, decided.value);
  const show = wish.actor === 'operator' ? operatorView : partnerView;
  const answer = () => show(known, whose)(after);
  return { state: after, events, isWritten: insert.length + change.length > 0, isOk: true, answer };
}

const changed = (state: RaceState, changes: Changes): RaceState => ({
  ...applyChanges(state, changes),
  ...keep(state, changes),
});

/** Decision 9: by the same function as in a use case, on a deal that nobody else changes. */
function tellProposal(state: RaceState, { name, input }: Wish, moment: Moment): Told {
  const { proposal_id, ...said } = input as { readonly proposal_id?: string };
  const command = (
    proposal_id === undefined
      ? { name, actor: 'partner', input: said }
      : { name, actor: 'partner', proposal_id, ...said }
  ) as ProposalCommand;
  const closed = state.proposal.find(({ id }) => id === proposal_id);
  const decided = decideProposal(table, state, command, { ...moment, executes: false }, closed);
  if (decided.isErr()) return refused(state, () => inWords(decided.error, 'en'));
  const { changes, proposal } = decided.value;
  const { insert, change, events } = changes;
  return {
    state: changed(state, changes),
    events,
    isWritten: insert.length + change.length > 0,
    isOk: true,
    answer: () => shownProposal(proposal),
  };
}

const refused = (state: RaceState, answer: () => unknown): Told => ({
  state,
  events: [],
  isWritten: false,
  isOk: false,
  answer,
});

/** Decision 6.4: while the stage is open, and the work of the deal can be delivered. */
function tellUpload(state: RaceState, { input }: Wish, { now, newId }: Moment): Told {
  const { stage_id, name } = input as { readonly stage_id: number; readonly name: string };
  const stage = state.stage.find(({ id }) => id === stage_id);
  const isOpen =
    ['pending', 'changes_requested'].includes(stage?.status ?? '') &&
    ['created', 'accepted', 'changes_requested'].includes(state.deal.status);
  if (!isOpen) {
    const refusal = { code: 'precondition_failed', reason: 'stage_closed' } as const;
    return refused(state, () => inWords(refusal, 'en'));
  }
  const { partner_id } = state.deal;
  const kind = { size: 1, sha256: digestOfOne, content_type: 'application/octet-stream' };
  const row = { id: newId(), partner_id, stage_id, name, uploaded_at: now, ...kind } as const;
  const file = { ...row, status: 'stored', uploaded_by: 'partner' } as const;
  const work_file = [...state.work_file, file];
  const data = { partner_id, stage_id, work_file_id: row.id, name, ...kind };
  return {
    state: { ...state, work_file },
    events: [{ type: 'work_file.stored', data }],
    isWritten: true,
    isOk: true,
    answer: () => workFileOf(file),
  };
}

/** The SHA-256 of the uploaded byte. */
const digestOfOne = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
