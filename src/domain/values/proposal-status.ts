/** What a proposal changes: the terms of a deal, or its end for an agreed amount (decision 9). */
export type ProposalKind = 'amendment' | 'settlement';

/** The state of a proposal (decision 9.1). */
export type ProposalStatus =
  | 'open'
  | 'accepted'
  | 'rejected'
  | 'withdrawn'
  | 'superseded'
  | 'expired';

/** How a version of the terms came about (decision 9.6). */
export type TermsKind = 'creation' | ProposalKind | 'bonus';
