import type { KeyOf, ListedKind, Stored } from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { Answer } from '../../src/ports/answer.js';
import type { EventPage, Store } from '../../src/ports/store.js';
import type { Opened } from '../contract.js';
import { check, show, wrap } from '../expectations.js';
import { groupsOf } from '../laws.js';

/**
 * The subject of the suite of stores: an empty store for each case.
 */
export interface StoreSubject extends Store {
  close(): PromiseLike<void>;
  /** If the log shows events late: waits until it shows all events written so far. */
  settled?(): PromiseLike<void>;
  /**
   * For a database that plans by statistics, and updates them some time after many writes: updates
   * them now.
   */
  analysed?(): PromiseLike<void>;
  /** Another handle of the same store, as another process has one: it is closed separately. */
  reopened?(): StoreSubject | PromiseLike<StoreSubject>;
  /** Another empty store, if the function of the suite does not make one. */
  another?(): StoreSubject | PromiseLike<StoreSubject>;
}

/** Makes a group of laws about stores. */
export const group = groupsOf<StoreSubject>();

/** Opens a store for a case. It is not used any more once the case has ended. */
export function opened(
  makeStore: () => StoreSubject | PromiseLike<StoreSubject>,
): () => Promise<Opened<StoreSubject>> {
  return async () => guarded(await makeStore());
}

/** The value of an answer, which must be a success. */
export async function ask<T>(answer: Answer<T>): Promise<T> {
  const result = await answer;
  check(result.isOk(), result.isErr() ? `the store failed: ${show(result.error)}` : '');
  return result.value;
}

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
export const acmeLive: Tenant = { environment: 'production', partner: 'acme' };

/** A unique ULID, even if another process has the same seed: several may use one database. */
export function nextId(): string {
  const [drawn] = crypto.getRandomValues(new BigUint64Array(1));
  return `01KDVE${String(drawn).padStart(20, '0')}`;
}

/** A record of any kind that is found by its key, which is a text. */
export function recordByKey<K extends ListedKind>(
  { records }: Pick<Store, 'records'>,
  tenant: Tenant,
  kind: K,
  key: string,
): Answer<Stored<K> | undefined> {
  return records.byKey(tenant, kind, key as KeyOf<K>);
}

/** A page of a log, by its own cursor. */
export async function eventPage(
  { events }: Pick<Store, 'events'>,
  tenant: Tenant,
  cursor: string | undefined,
  limit: number,
): Promise<EventPage> {
  const page = await ask(events.after(tenant, cursor, limit));
  check(page !== 'invalid_cursor', 'a log knows the cursors that it gave');
  check(page.events.length <= limit, 'a page holds no more than its limit');
  check(page.events.length === 0 || page.cursor !== cursor, 'a cursor moves on with its events');
  return page;
}

/** All events of a tenant, read page by page. */
export async function allEvents(
  store: Pick<StoreSubject, 'events' | 'settled'>,
  tenant: Tenant,
  limit = 100,
): Promise<Stored<'event'>[]> {
  const all: Stored<'event'>[] = [];
  await store.settled?.();
  let cursor: string | undefined;
  for (;;) {
    const page = await eventPage(store, tenant, cursor, limit);
    if (page.events.length === 0) return all;
    all.push(...page.events);
    cursor = page.cursor;
  }
}

/** Overwrites a value that the store should have copied. */
export function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  for (const name of Object.keys(value)) {
    scribble(Reflect.get(value, name));
    Reflect.set(value, name, 'scribbled');
  }
  if (Array.isArray(value)) value.push('scribbled');
}

/** Milliseconds that calls which are under way have to end, before the store is closed. */
const longestCall = 5_000;

/** Methods that make further handles, which are closed with the case as well. */
const opens: readonly PropertyKey[] = ['reopened', 'another'] satisfies (keyof StoreSubject)[];
type Opens = NonNullable<StoreSubject['reopened']>;

/**
 * The store for one case. Once the case has ended, a call throws, and the store is closed when the
 * calls under way are answered: nothing is written into the next case.
 */
function guarded(store: StoreSubject): Opened<StoreSubject> {
  const underWay = new Set<unknown>();
  let hasEnded = false;
  const guard = (subject: StoreSubject): StoreSubject =>
    wrap(subject, (call, name) => {
      // a case may close what it opened even after its end
      if (hasEnded && name !== 'close') throw new Error('the case has ended');
      const answer = opens.includes(name) ? guardOpened(call() as ReturnType<Opens>) : call();
      if (isPromiseLike(answer)) {
        const settled: Promise<unknown> = Promise.resolve(answer)
          .catch(() => undefined)
          .finally(() => underWay.delete(settled));
        underWay.add(settled);
      }
      return answer;
    });
  const guardOpened = async (made: ReturnType<Opens>) => guard(await made);
  return {
    subject: guard(store),
    async end() {
      hasEnded = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waited = new Promise((resolve) => {
        timer = setTimeout(resolve, longestCall);
      });
      await Promise.race([Promise.all(underWay), waited]);
      clearTimeout(timer);
      await store.close();
    },
  };
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
