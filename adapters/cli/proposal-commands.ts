import type { Option } from 'commander';
import type {
  Acceptance,
  AmendmentInput,
  Proposal,
  ProposalInput,
  ProposalRemark,
  ProposalsPage,
  ProposingActor,
  SettlementInput,
  Terms,
  TermsPage,
  TermsPageQuery,
} from 'dealwright';
import type { ClientCallOptions } from 'dealwright/client';
import type { Result, ResultAsync } from 'neverthrow';
import {
  asking,
  bodyOptions,
  type CommandRow,
  fieldOptions,
  keyOption,
  pageOf,
  pageOptions,
} from './command-row.js';
import { again, proposalText, quoted, readFields } from './deal-commands.js';
import type { Failure } from './describe-failure.js';
import { commandFields, type Field, type Fields, membersOf } from './fields.js';
import { formatTable } from './output.js';
import type { Session } from './session.js';

type Answer<T> = ResultAsync<T, Failure>;

/** The proposals and the terms of one deal, for one of its sides. */
interface Side {
  propose(input: ProposalInput, options: ClientCallOptions): Answer<Proposal>;
  acceptProposal(id: string, input: Acceptance, options: ClientCallOptions): Answer<Proposal>;
  rejectProposal(id: string, input: ProposalRemark, options: ClientCallOptions): Answer<Proposal>;
  withdrawProposal(id: string, input: ProposalRemark, options: ClientCallOptions): Answer<Proposal>;
  listProposals(query: TermsPageQuery, options: ClientCallOptions): Answer<ProposalsPage>;
  retrieveProposal(id: string, options: ClientCallOptions): Answer<Proposal>;
  listTerms(query: TermsPageQuery, options: ClientCallOptions): Answer<TermsPage>;
}

function ofPartner({ api }: Session, deal: string): Side {
  return {
    propose: (input, call) => api.propose(deal, input, call),
    acceptProposal: (id, input, call) => api.acceptProposal(deal, id, input, call),
    rejectProposal: (id, input, call) => api.rejectProposal(deal, id, input, call),
    withdrawProposal: (id, input, call) => api.withdrawProposal(deal, id, input, call),
    listProposals: (query, call) => api.listProposals(deal, query, call),
    retrieveProposal: (id, call) => api.retrieveProposal(deal, id, call),
    listTerms: (query, call) => api.listTerms(deal, query, call),
  };
}

/** Either side of a deal of the sandbox. */
export function ofActor(session: Session, deal: string, actor: ProposingActor): Side {
  const sandbox = session.sandbox();
  const decide =
    (decision: 'accept' | 'reject' | 'withdraw') =>
    (id: string, input: Acceptance | ProposalRemark, call: ClientCallOptions) =>
      sandbox.decideProposal(deal, actor, id, decision, input, call);
  return {
    ...ofPartner(session, deal),
    propose: (input, call) => sandbox.propose(deal, actor, input, call),
    acceptProposal: decide('accept'),
    rejectProposal: decide('reject'),
    withdrawProposal: decide('withdraw'),
  };
}

const changeFields = {
  title: { help: 'title of the deal' },
  description: { help: 'description' },
  amount: {
    help: 'new amount of the whole deal; the one stage that can still be changed gets what the others leave',
  },
  work_days: { help: 'days of work of the one stage that can still be changed', integer: true },
  copyright_transfer: { help: 'full_transfer, license or none' },
  agreed_amount: { help: 'settles the deal for this amount, and changes nothing else' },
} satisfies Record<Exclude<keyof AmendmentInput, 'stages'> | keyof SettlementInput, Field>;
const { message = { help: 'a message' } } = commandFields;

interface Page<Item> {
  readonly results: readonly Item[];
  readonly next: string | null;
}

/** A command about the terms of one deal, as each group that has it gives it. */
export interface TermsRow {
  readonly description: string;
  readonly fields?: Fields;
  readonly options: readonly Option[];
  /** Whether its last argument is a proposal. */
  readonly namesProposal?: true;
  /** `path` is the command with its arguments. */
  readonly run: (session: Session, side: Side, id: string, path: string) => Promise<number>;
}

/** A decision about a proposal. */
const decision = (
  description: string,
  fields: Fields,
  decide: (side: Side, ...given: Parameters<Side['acceptProposal']>) => Answer<Proposal>,
) => ({
  description,
  fields,
  options: [...fieldOptions(fields), keyOption],
  namesProposal: true as const,
  async run(session: Session, side: Side, id: string) {
    const members = membersOf(fields, session.flags);
    if (members.isErr()) return session.complain(members.error);
    // the service reports missing members
    const input: unknown = members.value;
    return show(session, side, await decide(side, id, input as Acceptance, session.call));
  },
});

const proposalFields = { ...changeFields, message };

/** The commands about proposals, which the sandbox gives for either side. */
export const proposalCommands = {
  propose: {
    description: 'propose other terms, or to settle the deal; stages are in --file',
    fields: proposalFields,
    options: bodyOptions(proposalFields),
    run: propose,
  },
  'accept-proposal': decision(
    'accept a proposal of the other side',
    { terms_sha256: { help: 'the hash of its terms, as it shows them (required)' }, message },
    (side, ...given) => side.acceptProposal(...given),
  ),
  'reject-proposal': decision(
    'reject a proposal of the other side',
    { message },
    (side, ...given) => side.rejectProposal(...given),
  ),
  'withdraw-proposal': decision('withdraw your own proposal', { message }, (side, ...given) =>
    side.withdrawProposal(...given),
  ),
} satisfies Readonly<Record<string, TermsRow>>;

/** Shows a page of a list, and the command that shows the next one. */
const listOf =
  <Item>(
    head: readonly string[],
    list: (side: Side, query: TermsPageQuery, options: ClientCallOptions) => Answer<Page<Item>>,
    cellsOf: (item: Item) => readonly unknown[],
  ): TermsRow['run'] =>
  async (session, side, _, path) => {
    const { call, flags, width } = session;
    const query = pageOf(flags, 'entries');
    if (query.isErr()) return session.complain(query.error);
    return session.answer(await list(side, query.value, call), ({ results, next }) => {
      const table = formatTable(results.map(cellsOf), { head, flexible: head.length - 1, width });
      const shown = results.length === 0 ? 'none\n' : table;
      return next === null
        ? shown
        : `${shown}\nmore: ${path} ${again(session, { cursor: next })}\n`;
    });
  };

const rows: Readonly<Record<string, TermsRow>> = {
  ...proposalCommands,
  proposals: {
    description: 'list the proposals, the newest first',
    options: pageOptions,
    run: listOf(
      ['id', 'created_at', 'kind', 'by', 'status', 'amount', 'expires_at'],
      (side, ...given) => side.listProposals(...given),
      ({ id, created_at, kind, by, status, terms, expires_at }) => [
        ...[id, created_at, kind, by, status],
        ...[terms.agreed_amount ?? terms.amount, expires_at],
      ],
    ),
  },
  proposal: {
    description: 'show a proposal, and what it changes',
    options: [],
    namesProposal: true,
    run: async (session, side, id) =>
      show(session, side, await side.retrieveProposal(id, session.call)),
  },
  terms: {
    description: 'list the versions of the terms, the oldest first',
    options: pageOptions,
    run: listOf(
      ['version', 'at', 'kind', 'amount', 'accepted_by', 'terms_sha256'],
      (side, ...given) => side.listTerms(...given),
      ({ terms_version, at, kind, terms, accepted_by, terms_sha256 }) => [
        ...[terms_version, at, kind, terms.agreed_amount ?? terms.amount],
        ...[accepted_by, terms_sha256],
      ],
    ),
  },
};

/** The commands of a group, whose first arguments are `given`. */
function commandsOf(
  group: string,
  given: Readonly<Record<string, string>>,
  ask: (run: TermsRow['run'], command: string) => Pick<CommandRow, 'asks' | 'run'>,
): Readonly<Record<string, CommandRow>> {
  const proposal = { '<proposal-id>': `the id of the proposal, as ${group} proposals shows it` };
  return Object.fromEntries(
    Object.entries(rows).map(([name, { description, options, namesProposal, run }]) => [
      `${group} ${name}`,
      {
        description,
        arguments: namesProposal ? { ...given, ...proposal } : given,
        options,
        ...ask(run, `dealwright ${group} ${name}`),
      },
    ]),
  );
}

/** Those of a partner. */
export const dealTermsCommands = commandsOf(
  'deals',
  { '<partner-id>': 'your own id of the deal' },
  (run, command) =>
    asking((session, deal = '', id = '') =>
      run(session, ofPartner(session, deal), id, `${command} ${quoted(deal)}`),
    ),
);

/** Those of a freelancer. */
export const offerTermsCommands = commandsOf('offer', {}, (run, command) =>
  asking(
    (session, id = '') => run(session, session.offer(), id, command),
    'DEALWRIGHT_PAYMENT_TOKEN',
  ),
);

async function propose(session: Session, side: Side): Promise<number> {
  const body = await readFields(session, proposalFields);
  if (body.isErr()) return session.complain(body.error);
  const { message, ...changes } = body.value;
  const kind = 'agreed_amount' in changes ? 'settlement' : 'amendment';
  const input: unknown = { kind, changes, message };
  return show(session, side, await side.propose(input as ProposalInput, session.call));
}

/** Shows a proposal beside the terms that it changes. */
async function show(
  session: Session,
  side: Side,
  result: Result<Proposal, Failure>,
): Promise<number> {
  const { flags, width } = session;
  const isShown = result.isOk() && flags.json !== true;
  const before = isShown
    ? await findTerms(session, side, result.value.terms.version - 1)
    : undefined;
  return session.answer(
    result,
    (proposal) => `${proposalText(proposal, width)}\n${differences(before, proposal.terms, width)}`,
  );
}

/** A version of the terms, if it can be read. */
async function findTerms(
  session: Session,
  side: Side,
  version: number,
): Promise<Terms | undefined> {
  // a cursor of the service names the version before a page: there may be hundreds of them
  const cursor = version > 1 && { cursor: `n-${version - 1}` };
  const page = await side.listTerms({ page_size: 1, ...cursor }, session.call);
  const [found] = page.isOk() ? page.value.results : [];
  return found?.terms_version === version ? found.terms : undefined;
}

/** What differs between two versions, old beside new. */
function differences(before: Terms | undefined, after: Terms, width: number | undefined): string {
  const old = before === undefined ? {} : partsOf(withIds(before, after), 'that was left out');
  const own = partsOf(after, 'new');
  const isChanged = (name: string) => (old[name] ?? null) !== (own[name] ?? null);
  const names = Object.keys({ ...old, ...own }).filter(isChanged);
  const rows = names.map((name) => [name, old[name], own[name]]);
  const head = ['terms', 'old', 'new'];
  const table = formatTable(rows, { head, flexible: 2, wrap: true, width });
  return before === undefined ? `${table}\nthe old terms could not be read\n` : table;
}

/**
 * Terms whose stages were added by them, with the ids that those have got since: the later terms
 * have them in the same order, without those that they leave out.
 */
function withIds(before: Terms, after: Terms): Terms {
  const known = new Set(before.stages.map(({ id }) => id));
  const kept = after.stages.filter(({ id }) => id !== null && !known.has(id));
  let added = before.stages.filter(({ id }) => id === null).length;
  const stages = before.stages.map((stage) => {
    if (stage.id !== null) return stage;
    // if some are left out, the names tell which
    const isKept = kept.length === added || kept[0]?.name === stage.name;
    added -= 1;
    return isKept ? { ...stage, id: kept.shift()?.id ?? null } : stage;
  });
  return { ...before, stages };
}

/** The members of terms, with those of each stage by its id. */
function partsOf(
  { stages, ...terms }: Terms,
  withoutId: string,
): Readonly<Record<string, unknown>> {
  const ofStages = stages.flatMap(({ id, ...stage }, at) =>
    Object.entries(stage).map(([name, value]) => [
      `stage ${id ?? `${withoutId} ${at + 1}`} ${name}`,
      value,
    ]),
  );
  return { ...terms, ...Object.fromEntries(ofStages) };
}
