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
import { canonicalJson, firstTerms, shownVersion, termsKey } from '../domain/terms/terms.js';
import { jsonBytes, textBytes } from '../domain/values/json-bytes.js';
import { isUlid } from '../domain/values/ulid.js';
import { type PortProblem, valueIn } from '../ports/answer.js';
import type { DealWith, RecordRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';
import { findProposal, wholeTerms } from './kept-terms.js';
import { bytesIn, fitting, longestPage, nextBatch, pageOf } from './page-of.js';

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
    bytesOf: ({ terms, changes, message }) =>
      bytesOfOthers + textBytes(terms) + textBytes(changes) + jsonBytes(message),
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
    bytesOf: ({ terms }) => bytesOfOthers + textBytes(terms),
    show: (row, { deal }) => shownVersion(row, deal),
  });
}

/** More than all other members of a proposal or a version have. */
const bytesOfOthers = 1_000;

function versionOne(state: Read, digest: (text: string) => string): Row<'terms'> {
  const { partner_id, employer_fee, contractor_fee, created_at: at } = state.deal;
  const terms = canonicalJson(firstTerms(state));
  return {
    ...{ terms_key: termsKey(partner_id, 1), partner_id, terms_version: 1, kind: 'creation' },
    ...{ terms, terms_sha256: digest(terms) },
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
  /** The bytes of a row as it is shown, or some more. */
  bytesOf(row: Listed<K>): number;
  show(row: Listed<K>, state: Read): T;
}

type Listed<K extends ListedKind> = Omit<Row<K>, 'partner_id'>;

async function listUnder<K extends ListedKind, T, R>(
  context: Context,
  call: Call,
  finder: Finder<R>,
  query: unknown,
  listing: Listing<K, T>,
): Promise<
  Result<{ results: readonly T[]; next: string | null; previous: string | null }, R | NotListed>
> {
  const { first, edgeOf, keyOf, show } = listing;
  const parsed = context.parsePageQuery(query === undefined ? {} : query);
  // a deal that the caller may not see is refused first
  const state = await finder.find(['stage']);
  if (state.isErr()) return err(state.error);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  const [, letter, edge = ''] = /^([np])-(.+)$/s.exec(cursor ?? '') ?? [];
  const after = keyOf(state.value.deal, edge);
  if (cursor !== undefined && after === undefined) return err({ code: 'invalid_cursor' });
  const isBack = letter === 'p';
  const direction = isBack ? opposite[first] : first;
  const read = await readRows(context, call, state.value, listing, { direction, after, page_size });
  if (read.isErr()) return err(read.error);
  const { found, size } = read.value;
  if (isBack) found.reverse();
  const at = { isBack, hasCaller: after !== undefined };
  const { rows, hasNext, hasPrevious } = pageOf(found, size, at);
  const cursorOf = (letter: 'n' | 'p', row: Listed<K> | undefined) =>
    row === undefined ? null : `${letter}-${edgeOf(row)}`;
  return ok({
    results: rows.map((row) => show(row, state.value)),
    next: hasNext ? cursorOf('n', rows.at(-1)) : null,
    previous: hasPrevious ? cursorOf('p', rows[0]) : null,
  });
}

/** The part of a list that a caller wants: the rows after a key, in a direction. */
interface Wanted {
  readonly direction: Direction;
  readonly after: string | undefined;
  readonly page_size: number;
}

/** The rows of a page in this direction, some more if there are more, and how many the page has. */
async function readRows<K extends ListedKind, T>(
  context: Context,
  { tenant }: Call,
  state: Read,
  { kind, edgeOf, keyOf, others, bytesOf }: Listing<K, T>,
  { direction, after, page_size }: Wanted,
): Promise<Result<{ readonly found: Listed<K>[]; readonly size: number }, PortProblem>> {
  const { partner_id: under, description } = state.deal;
  const isUp = direction === 'ascending';
  const sized = (row: Listed<K>) => {
    return { row, key: String(keyOf(state.deal, edgeOf(row))), bytes: bytesOf(row) };
  };
  const ofDeal = others(state)
    .map(sized)
    .filter(({ key }) => after === undefined || (isUp ? key > after : key < after));
  // most rows repeat the description of the deal, which may be of any length in version 1.0
  const expected = [longestPage / 3, description.length];
  const read: ReturnType<typeof sized>[] = [];
  for (;;) {
    const limit = nextBatch({
      longest: Math.max(...(read.length === 0 ? expected : read.map(({ bytes }) => bytes))),
      held: bytesIn(read),
      most: Math.min(batchSize, page_size + 1 - read.length),
    });
    const from = read.at(-1)?.key ?? after;
    const range = { under, direction, limit, ...(from !== undefined && { after: from }) };
    const batch = await context.ports.listRecords(tenant, kind, range);
    if (batch.isErr()) return err(batch.error);
    const whole = await wholeTerms(context, { tenant }, state, batch.value);
    if (whole.isErr()) return err(whole.error);
    read.push(...(whole.value as readonly Listed<K>[]).map(sized));
    const known = new Set(read.map(({ key }) => key));
    // it may have become a record since the deal was read
    const found = [...read, ...ofDeal.filter(({ key }) => !known.has(key))];
    found.sort((a, b) => (a.key < b.key === isUp ? -1 : 1));
    const size = fitting(found, page_size);
    if (size < found.length || batch.value.length < limit) {
      return ok({ found: found.map(({ row }) => row), size });
    }
  }
}

/**
 * The most rows of one read: so many as a page of the default size needs, and few enough that the
 * largest ones stay below the 16 MiB of an answer of a store over HTTP.
 */
const batchSize = 21;

const opposite: Readonly<Record<Direction, Direction>> = {
  ascending: 'descending',
  descending: 'ascending',
};

/** A proposal of a deal by its id. */
export async function retrieveProposal<P extends Proposal, R>(
  context: Context,
  { tenant }: Call,
  finder: Finder<R>,
  id: unknown,
  show: (row: ProposalRow) => P,
): Promise<Result<P, R | WithoutMessage<RetrieveDealError>>> {
  const found = await finder.find(['stage']);
  if (found.isErr()) return err(found.error);
  const row = isUlid(id) ? await findProposal(context, { tenant }, found.value, id) : ok(undefined);
  return row.andThen((each) => (each === undefined ? err(notFound('proposal')) : ok(show(each))));
}
