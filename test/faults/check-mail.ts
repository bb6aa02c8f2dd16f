/** A message that a process has sent. */
export interface Sent {
  readonly by: string;
  readonly messageId: string;
  readonly to: string;
}

/** Messages that were sent twice. */
export interface Repeated {
  readonly again: number;
  /** Those of them that no kill between the sending and the record of it explains. */
  readonly unexplained: number;
}

/** How many messages did not come: each receiver as often as it is expected. */
export function missing(expected: readonly string[], sent: readonly Sent[]): number {
  const left = new Map<string, number>();
  for (const to of expected) left.set(to, (left.get(to) ?? 0) + 1);
  for (const { to } of new Map(sent.map((each) => [each.messageId, each])).values()) {
    left.set(to, (left.get(to) ?? 0) - 1);
  }
  return [...left.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
}

/** The partner and the side of a message: one process at a time sends these, one after the other. */
const consumerOf = ({ to }: Sent) => /^(.*-)\d+@/.exec(to)?.[1] ?? to;

/** A process that was killed can leave only the last message of each consumer without a record. */
export function repeated(sent: readonly Sent[], killed: ReadonlySet<string>): Repeated {
  const lastOf = new Map(sent.map((each) => [`${each.by} ${consumerOf(each)}`, each.messageId]));
  const before = new Map<string, Sent>();
  let [again, unexplained] = [0, 0];
  for (const each of sent) {
    const first = before.get(each.messageId);
    if (first !== undefined) {
      again += 1;
      const last = lastOf.get(`${first.by} ${consumerOf(first)}`);
      const isExplained = killed.has(first.by) && first.by !== each.by && last === each.messageId;
      if (!isExplained) unexplained += 1;
    }
    before.set(each.messageId, each);
  }
  return { again, unexplained };
}
