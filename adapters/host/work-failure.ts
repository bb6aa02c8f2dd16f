/** A failure of the work outside of requests; it is tried again. */
export interface WorkFailure {
  /** Due work of deals (deadlines, payments), sweeping, pruning, or webhooks. */
  readonly work: 'due' | 'sweep' | 'prune' | 'webhooks';
  /** The partner of the deal, if it is about one. */
  readonly partner?: string;
  readonly partner_id?: string;
  /** `webhook:<id>`, if it is about one. */
  readonly consumer?: string;
  /** In English: the port that failed, or the rule that a report of the gateway breaks. */
  readonly reason?: string;
  /** The error or the answer of a port. */
  readonly cause: unknown;
}
