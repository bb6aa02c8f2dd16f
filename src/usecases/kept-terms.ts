import { err, ok, type Result } from 'neverthrow';
import type { Changes, DealState } from '../domain/payments/draft.js';
import {
  baseOf,
  edited,
  editOf,
  parentOf,
  withDescription,
  withoutDescription,
  withWords,
} from '../domain/terms/kept-terms.js';
import type { ProposalRow } from '../domain/terms/proposal.js';
import { openProposal } from '../domain/terms/proposal.js';
import { firstTerms, type Terms, termsKey } from '../domain/terms/terms.js';
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
  const edits = rows.flatMap(({ terms }) => baseOf(terms) ?? []);
  if (edits.length === 0) return ok(rows);
  const versions = createVersions(context, whose, state, rows);
  const read = await versions.read(edits);
  if (read.isErr()) return err(read.error);
  // it is long, and few of a page differ
  const quoted = new Map<string, string>();
  const quote = (text: string) => {
    const known = quoted.get(text) ?? JSON.stringify(text);
    quoted.set(text, known);
    return known;
  };
  return ok(
    rows.map((row) => {
      const of = baseOf(row.terms);
      if (of === undefined) return row;
      const terms = edited(row.terms, worded(row, versions.at(of)));
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
  const rows = insert.flatMap(({ kind, row }) => (kind === 'terms' ? [row] : []));
  const bases = insert.flatMap((each) => basisOf(each) ?? []);
  if (bases.length === 0) return ok(insert);
  const versions = createVersions(context, whose, state, rows);
  const read = await versions.read(bases);
  if (read.isErr()) return err(read.error);
  return ok(
    insert.map((each) => {
      const of = basisOf(each);
      if (of === undefined || (each.kind !== 'terms' && each.kind !== 'proposal')) return each;
      const terms = JSON.parse(each.row.terms) as Terms;
      const kept = editOf(terms, worded(each.row, versions.at(of)), of);
      return { ...each, row: { ...each.row, terms: kept } } as typeof each;
    }),
  );
}

/** The version that the terms of a row are kept as an edit of. */
function basisOf({ kind, row }: Insert[number]): number | undefined {
  if (kind === 'proposal') return (JSON.parse(row.terms) as Terms).version - 1;
  return kind === 'terms' && row.terms_version > 1 ? parentOf(row.terms_version) : undefined;
}

const worded = ({ changes }: Kept, base: Terms): Terms =>
  changes === undefined ? base : withWords(base, changes);

/** The versions of the terms of a deal, some of which are known. */
function createVersions({ ports }: Context, { tenant }: Whose, state: Read, rows: readonly Kept[]) {
  const { partner_id, terms_version } = state.deal;
  const texts = new Map<number, string>();
  const note = (row: Kept) => {
    if (row.terms_version !== undefined) texts.set(row.terms_version, row.terms);
  };
  rows.forEach(note);
  const whole = new Map<number, Terms>();
  // no record has the only version of a deal that was never changed
  if (terms_version === null) whole.set(1, firstTerms(state));
  const isKnown = (version: number) => texts.has(version) || whole.has(version);
  const at = (version: number): Terms => {
    const text = texts.get(version) ?? '';
    const of = baseOf(text);
    const terms =
      whole.get(version) ?? (of === undefined ? (JSON.parse(text) as Terms) : edited(text, at(of)));
    whole.set(version, terms);
    return terms;
  };
  return {
    at,
    /** Reads these versions, and those that they are edits of. */
    async read(wanted: readonly number[]): Promise<Result<void, PortProblem>> {
      let missing = missingOf(wanted, isKnown);
      while (missing.length > 0) {
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
        // edits of other versions than were expected
        const further = [...texts.values()].flatMap((text) => baseOf(text) ?? []);
        missing = missingOf(further, isKnown);
      }
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
      if (version > 1) version = parentOf(version);
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
