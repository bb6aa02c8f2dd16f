import { err, ok, type Result } from 'neverthrow';
import type { ListTermsError, ProposalsPage, TermsPage } from '../api/terms-api.js';
import {
  notFound,
  type RetrieveDealError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { openProposal, type Proposal, type ProposalRow } from '../domain/terms/proposal.js';
import { firstTerms, shownVersion, termsHash, termsKey } from '../domain/terms/terms.js';
import { isUlid } from '../domain/values/ulid.js';
import { valueIn } from '../ports/answer.js';
import type { DealWith, RecordRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';

type NotListed = WithoutMessage<ListTermsError>;

/** A page of the proposals of a deal, the newest first (decision 9.11). */
export async function listProposals<P extends Proposal, R>(
  context: Context,
  call: Call,
  finder: Finder<R>,
  query: unknown,
  show: (row: ProposalRow) => P,
): Promise<Result<ProposalsPage<P>, R | NotListed>> {
  return listUnder(context, call, finder, query, {
    kind: 'proposal',
    first: 'descending',
    edgeOf: ({ id }) => id,
    keyOf: (_deal, edge) => (isUlid(edge) ? edge : undefined),
    others: ({ deal }) => [openProposal(deal)].filter((each) => each !== undefined),
    show,
  });
}

/** A page of the versions of the terms of a deal, the oldest first (decision 9.6). */
export async function listTerms<R>(
  context: Context,
  call: Call,
  finder: Finder<R>,
  query: unknown,
): Promise<Result<TermsPage, R | NotListed>> {
  const digest = (text: string) => valueIn(context.ports.digest(text));
  return listUnder(context, call, finder, query, {
    kind: 'terms',
    first: 'ascending',
    edgeOf: ({ terms_version }) => String(terms_version),
    keyOf: ({ partner_id }, edge) =>
      /^[1-9]\d{0,9}$/.test(edge) ? termsKey(partner_id, Number(edge)) : undefined,
    // the only version of a deal that was never changed is made from the deal
    others: (state) => (state.deal.terms_version === null ? [versionOne(state, digest)] : []),
    show: (row, { deal }) => shownVersion(row, deal),
  });
}

function versionOne(state: Read, digest: (text: string) => string): Row<'terms'> {
  const { partner_id, employer_fee, contractor_fee, created_at: at } = state.deal;
  return {
    ...{ terms_key: termsKey(partner_id, 1), partner_id, terms_version: 1, kind: 'creation' },
    ...{ terms: JSON.stringify(firstTerms(state)), terms_sha256: termsHash(state, { digest }) },
    ...{ employer_fee, contractor_fee, proposal_id: null },
    ...{ proposed_by: 'partner', accepted_by: null, at },
  };
}

type Read = DealWith<'stage'>;
type ListedKind = 'proposal' | 'terms';
type Direction = RecordRange['direction'];

/** How the records of a kind under a deal are listed. */
interface Listing<K extends ListedKind, T> {
  readonly kind: K;
  /** The order of the list. */
  readonly first: Direction;
  /** The text of a row in a cursor, and its key. */
  edgeOf(row: Listed<K>): string;
  keyOf(deal: Row<'deal'>, edge: string): string | undefined;
  /** Rows that the deal has, and that are no records. */
  others(state: Read): readonly Listed<K>[];
  show(row: Listed<K>, state: Read): T;
}

type Listed<K extends ListedKind> = Omit<Row<K>, 'partner_id'>;

async function listUnder<K extends ListedKind, T, R>(
  context: Context,
  { tenant }: Call,
  finder: Finder<R>,
  query: unknown,
  { kind, first, edgeOf, keyOf, others, show }: Listing<K, T>,
): Promise<
  Result<{ results: readonly T[]; next: string | null; previous: string | null }, R | NotListed>
> {
  const parsed = context.parseDeliveryQuery(query === undefined ? {} : query);
  // a deal that the caller may not see is refused first
  const state = await finder.find(['stage']);
  if (state.isErr()) return err(state.error);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  const { deal } = state.value;
  const [, letter, edge = ''] = /^([np])-(.+)$/s.exec(cursor ?? '') ?? [];
  const after = keyOf(deal, edge);
  if (cursor !== undefined && after === undefined) return err({ code: 'invalid_cursor' });
  const isBack = letter === 'p';
  const direction = isBack ? opposite[first] : first;
  const limit = page_size + 1;
  const under = deal.partner_id;
  const range = { under, direction, limit, ...(after !== undefined && { after }) };
  const found = await context.ports.listRecords(tenant, kind, range);
  if (found.isErr()) return err(found.error);
  const keyIn = (row: Listed<K>) => String(keyOf(deal, edgeOf(row)));
  const isUp = direction === 'ascending';
  const isBeyond = (row: Listed<K>) =>
    after === undefined || (isUp ? keyIn(row) > after : keyIn(row) < after);
  const read = found.value as readonly Listed<K>[];
  const known = new Set(read.map(edgeOf));
  // it may have become a record since the deal was read
  const isOther = (row: Listed<K>) => isBeyond(row) && !known.has(edgeOf(row));
  const rows = [...read, ...others(state.value).filter(isOther)];
  rows.sort((a, b) => (keyIn(a) < keyIn(b) === isUp ? -1 : 1));
  const page = rows.slice(0, page_size);
  const [hasMore, hasCaller] = [rows.length > page_size, after !== undefined];
  if (isBack) page.reverse();
  const cursorOf = (letter: 'n' | 'p', row: Listed<K> | undefined) =>
    row === undefined ? null : `${letter}-${edgeOf(row)}`;
  return ok({
    results: page.map((row) => show(row, state.value)),
    // the page of the caller lies behind the edge of this one
    next: (isBack ? hasCaller : hasMore) ? cursorOf('n', page.at(-1)) : null,
    previous: (isBack ? hasMore : hasCaller) ? cursorOf('p', page[0]) : null,
  });
}

const opposite: Readonly<Record<Direction, Direction>> = {
  ascending: 'descending',
  descending: 'ascending',
};

/** A proposal of a deal by its id. */
export async function retrieveProposal<P extends Proposal, R>(
  { ports }: Context,
  { tenant }: Call,
  finder: Finder<R>,
  id: unknown,
  show: (row: ProposalRow) => P,
): Promise<Result<P, R | WithoutMessage<RetrieveDealError>>> {
  const found = await finder.find([]);
  if (found.isErr()) return err(found.error);
  const { deal } = found.value;
  const open = openProposal(deal);
  if (open !== undefined && open.id === id) return ok(show(open));
  if (!isUlid(id)) return err(notFound('proposal'));
  const row = await ports.recordByKey(tenant, 'proposal', id);
  return row.andThen((each) =>
    each?.partner_id === deal.partner_id ? ok(show(each)) : err(notFound('proposal')),
  );
}
