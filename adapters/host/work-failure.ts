/** What the work of a service beside its requests could not do; it is tried again. */
export interface WorkFailure {
  /** What is due of deals (deadlines, payments), what killed uploads have left, what has ended, or webhooks. */
  readonly work: 'due' | 'sweep' | 'prune' | 'webhooks';
  /** Whose deal, where it is about one. */
  readonly partner?: string;
  readonly partner_id?: string;
  /** `webhook:<id>`, where it is about one. */
  readonly consumer?: string;
  /** In English: the port that failed, or the rule that a report of the gateway breaks. */
  readonly reason?: string;
  /** What a port threw or answered. */
  readonly cause: unknown;
}
