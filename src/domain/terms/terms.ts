import type { DealState, Moment } from '../payments/draft.js';
import { remainingStages } from '../payments/owed.js';
import type { Row } from '../records/records.js';
import type { TermsKind } from '../values/proposal-status.js';
import type { Actor } from '../values/tenant.js';

/** A stage of the terms of a deal. */
export interface TermsStage {
  /** `null` of a stage that is to be added. */
  readonly id: number | null;
  readonly name: string;
  /** Decimal string with two decimals: of a stage that was agreed in part, that part. */
  readonly budget: string;
  readonly work_days: number | null;
}

/**
 * What the two sides of a deal agree on (decision 9.5): text, integers, `null` and lists of stages,
 * so that sorted members and `JSON.stringify` are the canonical JSON of RFC 8785.
 */
export interface Terms {
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** `null` in version 1.0. */
  readonly copyright_transfer: string | null;
  /** Those that are not cancelled, in the order of their ids, new ones last. */
  readonly stages: readonly TermsStage[];
  /** Of a settlement: the amount for all that is neither paid nor cancelled. */
  readonly agreed_amount?: string;
}

/** A version of the terms of a deal (decision 9.6). */
export interface TermsVersion {
  readonly terms_version: number;
  readonly terms: Terms;
  /** SHA-256 of the canonical JSON of `terms`, 64 hexadecimal digits. */
  readonly terms_sha256: string;
  readonly kind: TermsKind;
  readonly proposal_id: string | null;
  readonly proposed_by: Actor;
  /** `null` until the deal is accepted. */
  readonly accepted_by: Actor | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** The version of the terms of a deal. */
export const versionOf = ({ terms_version }: Pick<Row<'deal'>, 'terms_version'>): number =>
  terms_version ?? 1;

type Agreed = Pick<DealState, 'deal' | 'stage'>;

/** The terms of a deal as they are, under this version. */
export function termsOf(
  { deal, stage }: Agreed,
  version: number,
  isNew: (id: number) => boolean = () => false,
): Terms {
  return {
    version,
    title: deal.title,
    description: deal.description,
    amount: deal.amount,
    currency: deal.currency,
    copyright_transfer: deal.copyright_transfer,
    stages: remainingStages({ stage }).map(({ id, name, budget, agreed_amount, work_days }) => ({
      id: isNew(id) ? null : id,
      name,
      budget: agreed_amount ?? budget,
      work_days,
    })),
  };
}

/** The terms that a deal was created with, as long as no version has changed them. */
export function firstTerms({ deal, stage }: Agreed): Terms {
  // what became of the stages since is no change of the terms
  const asCreated = stage.map(
    (each) => ({ ...each, status: 'pending', agreed_amount: null }) as const,
  );
  return termsOf({ deal, stage: asCreated }, 1);
}

/** The canonical JSON of a value (RFC 8785): of texts, integers, nulls, lists and objects of them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // written here: an object has its own order of names that are numbers
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join()}}`;
}

/** The hash of canonical terms. */
export function hashOf(text: string, { digest }: Pick<Moment, 'digest'>): string {
  if (digest === undefined) throw new TypeError('a decision about terms needs a digest');
  return digest(text);
}

/** The hash of the terms of a deal as they are. */
export function termsHash(state: Agreed, moment: Pick<Moment, 'digest'>): string {
  return state.deal.terms_sha256 ?? hashOf(canonicalJson(firstTerms(state)), moment);
}

/** The key of a version: versions of a deal sort by it. */
export function termsKey(partner_id: string, version: number): string {
  return `${partner_id} ${String(version).padStart(10, '0')}`;
}

/** Who accepted a deal; of one from before this was recorded, as far as its status tells. */
function acceptedBy({ accepted_by, freelancer_status, api_version }: Row<'deal'>): Actor | null {
  const isAccepted = freelancer_status === 'accepted' || freelancer_status === 'finished';
  if (accepted_by !== null || !isAccepted) return accepted_by;
  return api_version === '2.0' ? 'freelancer' : 'partner';
}

/** A version as every face shows it. */
export function shownVersion(
  row: Omit<Row<'terms'>, 'partner_id'>,
  deal: Row<'deal'>,
): TermsVersion {
  return {
    terms_version: row.terms_version,
    terms: JSON.parse(row.terms) as Terms,
    terms_sha256: row.terms_sha256,
    kind: row.kind,
    proposal_id: row.proposal_id,
    proposed_by: row.proposed_by,
    // terms of an offer are accepted with the deal
    accepted_by: row.accepted_by ?? acceptedBy(deal),
    at: row.at,
  };
}
