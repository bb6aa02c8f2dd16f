/**
 * The events of one subject that wait: those after a sequence, up to another one. `isPending` says
 * that the one with the first sequence has failed and is tried again: the others follow it.
 */
export interface HeldSubject {
  readonly after: number;
  readonly upTo: number;
  readonly isPending: boolean;
}

/** The subjects of a consumer whose events wait. */
export type Held = ReadonlyMap<string, HeldSubject>;

/** So many subjects wait at most: then the consumer itself waits. */
export const mostHeld = 1_000;

type Written = Readonly<Record<string, readonly [number, number, 0 | 1]>>;

/** Reads what `writeHeld` wrote. */
export function readHeld(text: string): Held {
  return new Map(
    Object.entries(JSON.parse(text) as Written).map(([subject, [after, upTo, pending]]) => [
      subject,
      { after, upTo, isPending: pending === 1 },
    ]),
  );
}

/** The text that a consumer keeps. */
export function writeHeld(held: Held): string {
  const written = [...held].map(([subject, { after, upTo, isPending }]) => [
    subject,
    [after, upTo, isPending ? 1 : 0],
  ]);
  return JSON.stringify(Object.fromEntries(written));
}

/** What came of an event whose subject is ordered. */
export interface Tried {
  readonly subject: string;
  readonly sequence: number;
  /** Nothing where it was not begun; `pending` where it is tried again. */
  readonly outcome: 'delivered' | 'failed' | 'pending' | undefined;
  /** Whether it was tried in an earlier batch, and failed. */
  readonly isRetry: boolean;
}

/** What was gone through in one batch. */
export interface Passed {
  /** The last sequence of each subject in what was passed of the log. */
  readonly passed: ReadonlyMap<string, number>;
  /** The last sequence that was read again of each subject whose events waited. */
  readonly readAgain: ReadonlyMap<string, number>;
  /** In their order. */
  readonly tried: readonly Tried[];
}

/** The subjects that wait after a batch. */
export function holdAfter(before: Held, { passed, readAgain, tried }: Passed): Held {
  const held = new Map<string, HeldSubject>();
  const bySubject = new Map<string, Tried[]>();
  for (const each of tried) {
    const own = bySubject.get(each.subject);
    if (own === undefined) bySubject.set(each.subject, [each]);
    else own.push(each);
  }
  for (const [subject, entry] of before) {
    const own = bySubject.get(subject) ?? [];
    const upTo = Math.max(entry.upTo, passed.get(subject) ?? 0);
    const after = entry.isPending
      ? afterRetry(entry, own)
      : afterReading(own, readAgain.get(subject) ?? entry.after);
    if (after.isPending || after.after < upTo) held.set(subject, { ...after, upTo });
  }
  for (const [subject, own] of bySubject) {
    if (before.has(subject)) continue;
    const last = passed.get(subject) ?? 0;
    // what is sent again by hand holds nothing back; what was passed and not begun waits, too
    const first = own.find(
      ({ outcome, sequence, isRetry }) =>
        !isRetry && (outcome === 'pending' || (outcome === undefined && sequence <= last)),
    );
    if (first === undefined) continue;
    const { sequence } = first;
    const isPending = first.outcome === 'pending';
    const after = isPending ? sequence : sequence - 1;
    held.set(subject, { after, upTo: Math.max(sequence, last), isPending });
  }
  return held;
}

type Standing = Pick<HeldSubject, 'after' | 'isPending'>;

/** The others follow once the one that failed was delivered, or is given up. */
function afterRetry({ after }: HeldSubject, own: readonly Tried[]): Standing {
  const head = own.find(({ isRetry, sequence }) => isRetry && sequence === after);
  const isPending = head?.outcome === undefined || head.outcome === 'pending';
  return { after, isPending };
}

/** Up to where those that waited were gone through, of which the last that was read is `read`. */
function afterReading(own: readonly Tried[], read: number): Standing {
  for (const { isRetry, sequence, outcome } of own) {
    if (isRetry) continue;
    if (outcome === 'pending') return { after: sequence, isPending: true };
    if (outcome === undefined) return { after: sequence - 1, isPending: false };
  }
  return { after: read, isPending: false };
}
