/** What the work of a service beside its requests could not do; it is tried again. */
export interface WorkFailure {
  /** What is due of deals (deadlines, payments), or what killed uploads have left. */
  readonly work: 'due' | 'sweep';
  /** Whose deal, where it is about one. */
  readonly partner?: string;
  readonly partner_id?: string;
  /** In English: the port that failed, or the rule that a report of the gateway breaks. */
  readonly reason?: string;
  /** What a port threw or answered. */
  readonly cause: unknown;
}
