import type { Changes, DealState } from 'dealwright/life';
import type { Row } from '../../src/domain/records/records.js';
import { baseOf, edited, type KeptTerms, noTerms } from '../../src/domain/terms/kept-terms.js';
import { openProposal } from '../../src/domain/terms/proposal.js';
import { firstTerms, type Terms, termsHash } from '../../src/domain/terms/terms.js';
import { isSent, totalOf } from './invariants.js';
import { canonical, digest } from './model-terms.js';

/** The rows under a deal that are never read with it: closed proposals, and versions of its terms. */
export interface Kept {
  readonly proposal: readonly Row<'proposal'>[];
  readonly terms: readonly Row<'terms'>[];
}
export const nothingKept: Kept = { proposal: [], terms: [] };

/** Adds the rows that these changes insert. */
export function keep({ proposal, terms }: Kept, { insert }: Changes): Kept {
  const own = <K extends keyof Kept>(kind: K) =>
    insert.flatMap((each) => (each.kind === kind ? [each.row as Kept[K][number]] : []));
  return {
    proposal: [...proposal, ...own('proposal')] as Kept['proposal'],
    terms: [...terms, ...own('terms')] as Kept['terms'],
  };
}

export type ProposalRow = Omit<Row<'proposal'>, 'partner_id'>;

export const openRow = ({ deal }: Pick<DealState, 'deal'>): ProposalRow | undefined =>
  openProposal(deal);

/** The rows of a store with whole terms: most are kept as an edit of those of a version. */
export function wholeRows(state: Pick<DealState, 'deal' | 'stage'>, kept: Kept): Kept {
  const versions = [noTerms, firstTerms(state) as KeptTerms];
  const whole = (text: string, words: Partial<Terms> = {}): KeptTerms =>
    edited(text, { ...(versions[baseOf(text) ?? 0] ?? noTerms), ...words });
  for (const { terms, terms_version } of kept.terms) versions[terms_version] = whole(terms);
  const shown = ({ description, ...terms }: KeptTerms): string => {
    const known = typeof description === 'number' ? versions[description] : undefined;
    return canonical({ ...terms, description: known?.description ?? description });
  };
  return {
    terms: kept.terms.map((row) => ({
      ...row,
      terms: shown(versions[row.terms_version] ?? noTerms),
    })),
    proposal: kept.proposal.map((row) => ({
      ...row,
      terms: shown(whole(row.terms, wordsOf(row))),
    })),
  };
}

/** The words that an amendment has in its changes alone. */
function wordsOf({ changes }: Pick<ProposalRow, 'changes'>): Partial<Terms> {
  const given = Object.entries(JSON.parse(changes) as object);
  const words = ['title', 'description', 'copyright_transfer'];
  return Object.fromEntries(given.filter(([name]) => words.includes(name)));
}

/** All proposals of a deal in the order of their creation, the open one too. */
export function proposalsOf(state: DealState, { proposal }: Kept): readonly ProposalRow[] {
  const open = openRow(state);
  const all: readonly ProposalRow[] = open === undefined ? proposal : [...proposal, open];
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What is seen of terms and proposals, in the words of the model. */
export function seenTerms(state: DealState, kept: Kept): object {
  const { deal } = state;
  const proposals = proposalsOf(state, kept);
  const placeOf = (id: string | null) =>
    id === null ? null : proposals.findIndex((each) => each.id === id);
  const first = ['creation', termsHash(state, { digest }), null, 'partner'];
  return {
    terms: [deal.title, deal.description, deal.amount, deal.copyright_transfer],
    fees: [deal.employer_fee, deal.contractor_fee],
    versions:
      kept.terms.length === 0
        ? [[...first, deal.accepted_by, deal.created_at]]
        : kept.terms.map((each) => [
            each.kind,
            each.terms_sha256,
            placeOf(each.proposal_id),
            each.proposed_by,
            each.accepted_by ?? deal.accepted_by,
            each.at,
          ]),
    texts: kept.terms.map(({ terms }) => terms),
    proposals: proposals.map((each) => [
      each.kind,
      each.proposed_by,
      each.status,
      each.terms_sha256,
      placeOf(each.supersedes),
      each.created_at,
      each.expires_at,
      each.decided_at,
    ]),
  };
}

/** What must hold of the terms and proposals of a deal at any moment; returns what does not. */
export function checkTerms(
  { deal, stage }: Pick<DealState, 'deal' | 'stage'>,
  kept: Kept,
): string | undefined {
  const { terms, proposal } = kept;
  const version = deal.terms_version ?? 1;
  if (terms.length !== (version === 1 ? 0 : version))
    return `${terms.length} versions of ${version}`;
  for (const [at, row] of terms.entries()) {
    if (row.terms_version !== at + 1) return 'the versions of the terms have a gap';
    const value: unknown = JSON.parse(row.terms);
    if (canonical(value) !== row.terms) return 'terms that are not canonical';
    if (digest(row.terms) !== row.terms_sha256) return 'a hash of other terms';
    if (Reflect.get(Object(value), 'version') !== at + 1) return 'terms of another version';
    if (at > 0 && (terms[at - 1]?.terms_key ?? '') >= row.terms_key) return 'keys out of order';
  }
  if (deal.terms_sha256 !== (terms.at(-1)?.terms_sha256 ?? null))
    return 'not the hash of its terms';
  const open = openRow({ deal });
  if (open !== undefined && /^(completed|cancelled|expired)$/.test(deal.status)) {
    return 'a proposal is open of a deal that has ended';
  }
  if (open !== undefined && (open.status !== 'open' || open.decided_at !== null)) {
    return 'the open proposal is closed';
  }
  const ids = proposal.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return 'a proposal was closed twice';
  for (const each of open === undefined ? proposal : [...proposal, open]) {
    const value: unknown = JSON.parse(each.terms);
    if (digest(canonical(value)) !== each.terms_sha256) return 'a proposal has the hash of others';
    if (each !== open && each.status === 'open') return 'a proposal that is kept is open';
  }
  if (stage.filter(({ status }) => status !== 'cancelled').length > 100) return 'too many stages';
  return undefined;
}

/** The hash of the terms as they are. */
export const rightHash = (state: DealState): string => termsHash(state, { digest });

/**
 * What only the intents have of a report of a refund: its amount, if it gives none, and how much of
 * the refunds to come it ends.
 */
export function refundOf(
  { intent, payment_report }: DealState,
  payment_id: string | undefined,
  { reference, status, amount }: { reference: string; status: string; amount?: bigint },
): { readonly fails: bigint; readonly usual: bigint } {
  const all = intent.filter((each) => each.kind === 'refund' && each.payment_id === payment_id);
  const toCome = all.filter((each) => each.status === 'pending');
  const asked = toCome.filter(isSent);
  const left = (those: typeof all) => totalOf(those, ({ remaining }) => remaining);
  const gone = payment_report.filter(
    (each) =>
      each.payment_id === payment_id &&
      each.reference === reference &&
      /^(partially_)?refunded$/.test(each.status),
  );
  // its name covers all of it, even if another report has taken a part
  const named = all.filter((each) => each.id === reference && /pending|done/.test(each.status));
  const whole = totalOf(named, (each) => each.amount) - totalOf(gone, (each) => each.amount);
  // a refund that was told of comes back as it was told
  const isTold = status === 'refund_failed' && gone.length > 0;
  const usual = isTold ? 0n : named.length > 0 ? whole : left(asked.length > 0 ? asked : toCome);
  const most = amount ?? usual;
  return { usual, fails: most < left(toCome) ? most : left(toCome) };
}
