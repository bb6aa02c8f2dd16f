import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { ulid } from 'ulid';
import { expect } from 'vitest';
import { acme, relayHost } from './kit.js';

export const second = 1_000;
export const down = new Error('the store is down');

/** Replaces a call; returns `made` if the call is to be made. */
export type Fault = (path: string, given: readonly unknown[], call: () => unknown) => unknown;

export const made = Symbol('the call is to be made');

/** A host whose store fails as the test says. */
export function failingHost() {
  const timer = createManualClock();
  const inner = createMemoryStore();
  let fault: Fault = () => made;
  let times = 0;
  const wrap = <P extends object>(port: P, within = ''): P =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        const path = `${within}${String(name)}`;
        if (typeof member === 'object' && member !== null) return wrap(member, `${path}.`);
        if (typeof member !== 'function' || path === 'watch') return member;
        return (...given: unknown[]) => {
          const call = () => Reflect.apply(member, target, given);
          const instead = times > 0 ? fault(path, given, call) : made;
          if (instead === made) return call();
          times -= 1;
          return instead;
        };
      },
    });
  const ids = { isDown: false };
  const host = relayHost(wrap<Store>(inner), timer, {
    ids: {
      next() {
        if (ids.isDown) throw new Error('no ids');
        return ulid();
      },
    },
  });
  return {
    ...host,
    inner,
    ids,
    /** The next calls, this many, go wrong. */
    fail(count: number, how: Fault) {
      [times, fault] = [count, how];
    },
    left: () => times,
  };
}

/** Rejects a call of this path, and of this kind if it is given. */
export const rejecting =
  (path: string, kind?: string): Fault =>
  (called, given) =>
    called === path && (kind === undefined || given.includes(kind)) ? Promise.reject(down) : made;

/** Whether a call writes a consumer, and inserts a delivery if that is given. */
export const isSaving = (path: string, given: readonly unknown[], kind: string) =>
  path === 'commit' && JSON.stringify(given[1]).includes(`"kind":"${kind}"`);

export const deals = ({ receivers }: ReturnType<typeof failingHost>) =>
  receivers.received.map(({ event }) => event.subject).filter((each) => each.startsWith('deal:'));

export async function addWebhook(host: ReturnType<typeof failingHost>, ordered = true) {
  const created = await host.api.createWebhook({ url: 'https://a.example/', ordered });
  return created._unsafeUnwrap().id;
}

export const causes = (failures: readonly unknown[]) =>
  failures.map((each) => String((each as { readonly cause: unknown }).cause));

export type Commit = Parameters<Store['commit']>;
export type Failing = ReturnType<typeof failingHost>;

/** Gives the lease of a consumer to another relay for eight seconds. */
export async function takeOver({ inner, timer }: Failing, key: string): Promise<void> {
  const leased_until = new Date(timer.now() + 8 * second).toISOString();
  const set = { lease: ulid(), leased_until };
  const write = { attempt: ulid(), insert: [], events: [] };
  const taken = await inner.commit(acme, {
    ...write,
    expect: [{ present: 'consumer', key }],
    change: [{ kind: 'consumer', key, set }],
  });
  expect(taken._unsafeUnwrap().outcome).toBe('committed');
}

/** Makes another event of a deal. */
export async function emitMore({ api }: Failing, partner_id: string): Promise<void> {
  (await api.cancel(partner_id))._unsafeUnwrap();
}
