import { type ContractRunner, skip } from './expectations.js';
import { casesOf, type LawCase, type LawGroup, NotApplicable, titleOf } from './laws.js';

/** Milliseconds for a case: a busy machine is slow, not wrong. */
const usualLimit = 120_000;

/**
 * Milliseconds after its limit for a case to end its work, before the runner goes on without it.
 */
const timeToEnd = 15_000;

/** The subject of a case while it runs. */
export interface Opened<S> {
  readonly subject: S;
  /** Ends all work of the case, whether it passed or not: none of it happens later. */
  end(): PromiseLike<void>;
}

/** The choice of the groups of a contract. */
export interface ContractOptions {
  /** The names of the groups to run; default: all. */
  readonly groups?: readonly string[];
}

/**
 * Runs the groups of a contract. Each case has its own subject and limit: the runner's limit may be
 * a few seconds, and would leave the work of a case under way beside the next one.
 */
export function runGroups<S>(
  { describe, it, limit = usualLimit }: ContractRunner,
  suite: string,
  all: readonly LawGroup<S>[],
  open: () => PromiseLike<Opened<S>>,
  { groups = all.map(({ name }) => name) }: ContractOptions = {},
): void {
  const unknown = groups.find((name) => !all.some((group) => group.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => `'${name}'`).join(', ');
    throw new TypeError(`${suite}: there is no group '${unknown}', but ${known}`);
  }
  for (const group of all) {
    if (!groups.includes(group.name)) continue;
    describe(`${suite}: ${group.name}`, () => {
      for (const each of casesOf(group)) {
        const body = async (context?: unknown) => {
          const reason = await runCase(each, limit, open);
          if (reason !== undefined) skip(context, reason);
        };
        it(titleOf(each), body, limit + timeToEnd);
      }
    });
  }
}

/**
 * Runs a case. If it fails, the message begins with the law and its level. If the subject does not
 * promise the law, it returns why.
 */
async function runCase<S>(
  each: LawCase<S>,
  limit: number,
  open: () => PromiseLike<Opened<S>>,
): Promise<string | undefined> {
  const { subject, end } = await open();
  try {
    await endWithin(each.body(subject), limit);
    return undefined;
  } catch (cause) {
    if (cause instanceof NotApplicable) return cause.message;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${each.law.level} ${titleOf(each)}\n${why}`, { cause });
  } finally {
    await end();
  }
}

/** Waits for the end of a case, for so many milliseconds. */
export async function endWithin(ended: PromiseLike<void>, limit: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the case has not ended within ${limit} ms`);
    timer = setTimeout(() => reject(error), limit);
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The subject that is made for a case, and closed after it. */
export function opening<S extends { close(): PromiseLike<void> }>(
  make: () => S | PromiseLike<S>,
): () => Promise<Opened<S>> {
  return async () => {
    const subject = await make();
    return { subject, end: () => subject.close() };
  };
}
