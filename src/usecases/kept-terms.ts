import { err, ok, type Result } from 'neverthrow';
import type { Changes, DealState } from '../domain/payments/draft.js';
import type { Row } from '../domain/records/records.js';
import {
  baseOf,
  edited,
  editOf,
  isLong,
  type KeptTerms,
  noTerms,
  parentOf,
  withDescription,
  withoutDescription,
  withWords,
} from '../domain/terms/kept-terms.js';
import { openProposal, type ProposalRow } from '../domain/terms/proposal.js';
import { firstTerms, type Terms, termsKey, versionOf } from '../domain/terms/terms.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import { wrongAnswer } from '../ports/guard.js';
import type { Call, Context } from './context.js';

/** The deal of the rows, as it was read. */
type Read = Pick<DealState, 'deal' | 'stage'>;
type Whose = Pick<Call, 'tenant'>;

/** A row whose terms may be kept as an edit. */
interface Kept {
  readonly terms: string;
  /** Of a version. */
  readonly terms_version?: number;
  /** Of a proposal. */
  readonly changes?: string;
}

/** Rows as the domain has them: with whole terms, as canonical JSON. */
export async function wholeTerms<R extends Kept>(
  context: Context,
  whose: Whose,
  state: Read,
  rows: readonly R[],
): Promise<Result<readonly R[], PortProblem>> {
  const bases = rows.flatMap(({ terms }) => baseOf(terms) ?? []);
  if (bases.length === 0) return ok(rows);
  const versions = createVersions(context, whose, state, rows);
  const read = await versions.read(bases);
  if (read.isErr()) return err(read.error);
  const found = rows.map((row) =>
    edited(row.terms, worded(row, versions.at(baseOf(row.terms) ?? 0))),
  );
  const references = found.flatMap(({ description }) =>
    typeof description === 'number' ? description : [],
  );
  const told = await versions.read(references);
  if (told.isErr()) return err(told.error);
  // it is long, and few of a page differ
  const quoted = new Map<string | number, string>();
  const quote = (description: string | number) => {
    const known = quoted.get(description) ?? JSON.stringify(versions.textOf(description));
    quoted.set(description, known);
    return known;
  };
  return ok(
    rows.map((row, at) => {
      const terms = found[at] ?? noTerms;
      const text = withDescription(withoutDescription(terms), () => quote(terms.description));
      return { ...row, terms: text };
    }),
  );
}

/** The proposal of a deal with this id, open or closed. */
export async function findProposal(
  context: Context,
  { tenant }: Whose,
  state: Read,
  id: string,
): Promise<Result<ProposalRow | undefined, PortProblem>> {
  const open = openProposal(state.deal);
  if (open?.id === id) return ok(open);
  const found = await context.ports.recordByKey(tenant, 'proposal', id);
  if (found.isErr()) return err(found.error);
  const row = found.value;
  // another deal of the partner may have it
  const rows = row?.partner_id === state.deal.partner_id ? [row] : [];
  const whole = await wholeTerms(context, { tenant }, state, rows);
  return whole.map(([each]) => each);
}

type Insert = Changes['insert'];

/** Whether a row has terms: most decisions make none. */
export const hasTerms = ({ kind }: Insert[number]): boolean =>
  kind === 'terms' || kind === 'proposal';

/**
 * The rows of a decision as a store keeps them (record 0047): terms as an edit of those of an
 * earlier version, so that what they have in common is kept once.
 */
export async function keepTerms(
  context: Context,
  whose: Whose,
  state: Read,
  insert: Insert,
): Promise<Result<Insert, PortProblem>> {
  const { deal } = state;
  const latest = versionOf(deal);
  const versions = createVersions(context, whose, state, []);
  // what is new is an edit of the latest version, or of one that the latest one is an edit of
  const read = await versions.read([latest]);
  if (read.isErr()) return err(read.error);
  const keepVersion = (row: Row<'terms'>): Row<'terms'> => {
    const { terms_version: version } = row;
    const terms = JSON.parse(row.terms) as Terms;
    const isOwn = version === 1 || terms.description !== deal.description;
    const kept = isOwn ? terms : { ...terms, description: versions.at(latest).description };
    const of = version === 1 ? 0 : parentOf(version);
    return { ...row, terms: editOf(kept, versions.at(of), of) };
  };
  const keepProposal = (row: Row<'proposal'>): Row<'proposal'> => {
    const terms = JSON.parse(row.terms) as Terms;
    const of = terms.version - 1;
    const base = worded(row, versions.at(of));
    const kept = { ...terms, description: base.description };
    return { ...row, terms: editOf(kept, base, of) };
  };
  return ok(
    insert.map((each) => {
      if (each.kind === 'terms') return { kind: 'terms', row: keepVersion(each.row) };
      return each.kind === 'proposal' ? { kind: 'proposal', row: keepProposal(each.row) } : each;
    }),
  );
}

const worded = ({ changes }: Pick<Kept, 'changes'>, base: KeptTerms): KeptTerms =>
  changes === undefined ? base : withWords(base, changes);

/** The versions of the terms of a deal, some of which are known. */
function createVersions({ ports }: Context, { tenant }: Whose, state: Read, rows: readonly Kept[]) {
  const { partner_id, terms_version } = state.deal;
  const texts = new Map<number, string>();
  const note = (row: Kept) => {
    if (row.terms_version !== undefined) texts.set(row.terms_version, row.terms);
  };
  rows.forEach(note);
  const known = new Map<number, KeptTerms>([[0, noTerms]]);
  // no record has the only version of a deal that was never changed
  const first = terms_version === null ? firstTerms(state) : undefined;
  const isKnown = (version: number) =>
    texts.has(version) || known.has(version) || (version === 1 && first !== undefined);
  const descriptions = new Map<number, string>();
  const readOne = (version: number): KeptTerms => {
    if (version === 1 && first !== undefined) return first;
    const text = texts.get(version) ?? '';
    return edited(text, at(baseOf(text) ?? 0));
  };
  /** The terms of a version that was read. */
  const at = (version: number): KeptTerms => {
    const found = known.get(version);
    if (found !== undefined) return found;
    const terms = readOne(version);
    const { description } = terms;
    const isOwn = typeof description === 'string' && isLong(description);
    if (isOwn) descriptions.set(version, description);
    const kept = isOwn ? { ...terms, description: version } : terms;
    known.set(version, kept);
    return kept;
  };
  return {
    at,
    /** The text of a description, whose version was read. */
    textOf(description: string | number): string {
      if (typeof description === 'string') return description;
      at(description);
      return descriptions.get(description) ?? '';
    },
    /** Reads these versions, and those that they are edits of. */
    async read(wanted: readonly number[]): Promise<Result<void, PortProblem>> {
      const missing = missingOf(wanted, isKnown);
      const found = await Promise.all(
        rangesOf(missing).map(({ first, last }) =>
          ports.listRecords(tenant, 'terms', {
            under: partner_id,
            direction: 'ascending',
            after: termsKey(partner_id, first - 1),
            limit: last - first + 1,
          }),
        ),
      );
      for (const each of found) {
        if (each.isErr()) return err(each.error);
        each.value.forEach(note);
      }
      if (!missing.every(isKnown)) return err(lost);
      return ok(undefined);
    },
  };
}

const lost = portProblem('store.records.list', {
  retryable: false,
  fault: wrongAnswer('every version of the terms of a deal must be kept'),
});

/** The unknown ones of these versions, and of those that they should be edits of. */
function missingOf(wanted: readonly number[], isKnown: (version: number) => boolean): number[] {
  const missing = new Set<number>();
  for (const each of wanted) {
    for (let version = each; !isKnown(version) && !missing.has(version); ) {
      missing.add(version);
      version = parentOf(version);
    }
  }
  return [...missing].sort((a, b) => a - b);
}

/** The most versions of one read: large ones stay below the 16 MiB of a store over HTTP. */
const mostOfRead = 16;

/** Versions one after the other are read at once. */
function rangesOf(versions: readonly number[]) {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const version of versions) {
    const range = ranges.at(-1);
    const isNext = range?.last === version - 1 && version - range.first < mostOfRead;
    if (range !== undefined && isNext) range.last = version;
    else ranges.push({ first: version, last: version });
  }
  return ranges;
}
