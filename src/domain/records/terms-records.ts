import type { ProposalKind, ProposalStatus, TermsKind } from '../values/proposal-status.js';
import type { Actor } from '../values/tenant.js';
import { integer, money, optional, record, text } from './record-shape.js';

/**
 * The kinds of records about the terms of a deal (decision 9). They are listed, and not read with the
 * deal: the deal itself has its terms of now, and its open proposal.
 */
export const termsRecords = {
  /** A proposal that is not open any more: it never changes. */
  proposal: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    isListed: true,
    fields: {
      id: text(),
      partner_id: text(),
      kind: text<ProposalKind>(),
      proposed_by: text<Actor>(),
      status: text<ProposalStatus>(),
      /** The changes that it proposed, as JSON. */
      changes: text(),
      /** The terms as they would be: an edit of those of its time, or canonical JSON. */
      terms: text(),
      terms_sha256: text(),
      /** What the stages would be worth that are not cancelled, and the fees of that. */
      gross: money(),
      employer_fee: money(),
      contractor_fee: money(),
      message: optional(text()),
      supersedes: optional(text()),
      created_at: text(),
      expires_at: text(),
      decided_at: optional(text()),
    },
    changes: [],
    conditions: ['proposed_by'],
    indexes: [],
  }),
  /** A version of the terms of a deal; there is none of a deal that was never changed. */
  terms: record({
    of: 'tenant',
    key: 'terms_key',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    isListed: true,
    fields: {
      /** The `partner_id` and the version, in ten digits: versions sort by it. */
      terms_key: text(),
      partner_id: text(),
      terms_version: integer(),
      kind: text<TermsKind>(),
      /** An edit of those of an earlier version, or canonical JSON. */
      terms: text(),
      terms_sha256: text(),
      employer_fee: money(),
      contractor_fee: money(),
      proposal_id: optional(text()),
      proposed_by: text<Actor>(),
      /** `null` until the deal is accepted. */
      accepted_by: optional(text<Actor>()),
      at: text(),
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
};
