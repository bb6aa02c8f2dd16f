/** Whether a law has to be kept, or is a recommendation. */
export type Level = 'MUST' | 'SHOULD';

/** A promise of the interface or of the decisions that a case judges. */
export interface Law {
  /**
   * The number of the decision, or `i` and the section of the interface, and a name:
   * `2.7/same-key-other-input`, `i1.0/contractor/email`.
   */
  readonly id: string;
  readonly level: Level;
  /** The law in one sentence. */
  readonly text: string;
}

/** The laws of a group: the sentence of each, by its id. */
export interface LawTable {
  readonly must?: Readonly<Record<string, string>>;
  readonly should?: Readonly<Record<string, string>>;
}

/** The ids in a table of laws. */
export type LawIdOf<T extends LawTable> =
  | (keyof NonNullable<T['must']> & string)
  | (keyof NonNullable<T['should']> & string);

/**
 * Defines a case of a law. A law may have several: then the third argument names what differs.
 */
export type DefineCase<Subject, Id extends string = string> = (
  id: Id,
  body: (subject: Subject) => Promise<void>,
  variant?: string,
) => void;

/** Some laws that belong together, with the cases that judge them. */
export interface LawGroup<Subject> {
  readonly name: string;
  readonly laws: readonly Law[];
  /** Defines the cases. It does nothing else, so that the cases can be listed. */
  readonly cases: (define: DefineCase<Subject>) => void;
}

/** Makes the function that makes groups for one kind of subject; ids are checked by their type. */
export function groupsOf<Subject>() {
  return <const T extends LawTable>(
    name: string,
    table: T,
    cases: (define: DefineCase<Subject, LawIdOf<T>>) => void,
  ): LawGroup<Subject> => ({
    name,
    laws: [...lawsOf('MUST', table.must), ...lawsOf('SHOULD', table.should)],
    // a group asks for no other ids than those of its table
    cases: cases as LawGroup<Subject>['cases'],
  });
}

function lawsOf(level: Level, texts: Readonly<Record<string, string>> = {}): Law[] {
  return Object.entries(texts).map(([id, text]) => ({ id, level, text }));
}

/** A case of a law. */
export interface LawCase<Subject> {
  readonly law: Law;
  readonly variant: string | undefined;
  readonly body: (subject: Subject) => Promise<void>;
}

/** The cases of a group. It throws for a case without a law, and for a law without a case. */
export function casesOf<Subject>({ name, laws, cases }: LawGroup<Subject>): LawCase<Subject>[] {
  const byId = new Map(laws.map((law) => [law.id, law]));
  const found: LawCase<Subject>[] = [];
  cases((id, body, variant) => {
    const law = byId.get(id);
    if (law === undefined) throw new TypeError(`${name}: the case ${id} has no law`);
    found.push({ law, variant, body });
  });
  const without = laws.find((law) => !found.some((each) => each.law === law));
  if (without !== undefined) throw new TypeError(`${name}: the law ${without.id} has no case`);
  return found;
}

/** The name of a case: in tests, in failures, in reports. */
export function titleOf({ law, variant }: Pick<LawCase<never>, 'law' | 'variant'>): string {
  return `${law.id}${variant === undefined ? '' : ` (${variant})`}: ${law.text}`;
}

/**
 * Thrown by a case whose law a subject does not promise to keep: neither passed nor failed. Its
 * message says what is not promised. A subject throws it from a method that its service lacks.
 *
 * @example
 * ```ts
 * import type { PartnerApi } from 'dealwright';
 * import { NotApplicable } from 'dealwright/spec';
 *
 * const withoutLists = (api: PartnerApi): PartnerApi => ({
 *   ...api,
 *   listDeals() {
 *     throw new NotApplicable('the service has no lists');
 *   },
 * });
 * ```
 */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The group for an outer subject, from which `wrap` makes the one that its cases have. */
export function within<Inner, Outer>(
  group: LawGroup<Inner>,
  wrap: (body: (subject: Inner) => Promise<void>) => (subject: Outer) => Promise<void>,
): LawGroup<Outer> {
  return {
    ...group,
    cases: (define) => group.cases((id, body, variant) => define(id, wrap(body), variant)),
  };
}

/** Ends a case whose law the subject does not promise. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}
