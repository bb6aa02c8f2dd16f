import type { Tenant } from '../../src/domain/values/tenant.js';
import { check, equal } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { acme, ask, globex, group, type StoreSubject } from './subject.js';
import { committed, registration } from './writes.js';

/** Milliseconds after which a notification of a write is overdue. */
const longestWait = 5_000;

/** A watcher with its notifications, and a way to wait for them. */
function createWatcher(store: StoreSubject) {
  const told: (Tenant | undefined)[] = [];
  const waiting = new Set<() => void>();
  const stop = store.watch?.((tenant) => {
    told.push(tenant);
    for (const look of waiting) look();
  });
  const isToldOf = ({ environment, partner }: Tenant) =>
    told.some(
      (each) =>
        each === undefined || (each.environment === environment && each.partner === partner),
    );
  return {
    told,
    stop: () => stop?.(),
    /** Waits for a notification of this tenant, or of any. */
    async wait(tenant: Tenant) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestWait);
        const look = () => {
          if (!isToldOf(tenant)) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(look);
        look();
      });
      check(isToldOf(tenant), 'who watches is told that a log has grown');
      told.length = 0;
    },
  };
}

/** The promises of a store to watchers, if it can notify. */
export const watching = group(
  'those that watch',
  {
    must: {
      '7/store/listener-throws':
        'A write is committed even if a listener throws, and other listeners are still called.',
    },
    should: {
      '7/store/watchers':
        'A listener is called soon after a log has grown, until it stops watching.',
    },
  },
  (define) => {
    define('7/store/watchers', async (store) => {
      // a store that cannot notify lacks the method
      if (store.watch === undefined) notApplicable('the store has no watch');
      const [first, second] = [createWatcher(store), createWatcher(store)];
      const commit = async (tenant: Tenant, key: string) =>
        equal(await ask(store.commit(tenant, registration(key))), committed, 'a write');
      for (const [at, tenant] of [acme, globex, acme].entries()) {
        await commit(tenant, `${at}`);
        await Promise.all([first.wait(tenant), second.wait(tenant)]);
      }
      first.stop();
      first.stop();
      const before = first.told.length;
      for (const key of ['one', 'two', 'three']) {
        await commit(acme, key);
        await second.wait(acme);
      }
      equal(first.told.length, before, 'how often one was called that had stopped');
      second.stop();
    });

    define('7/store/listener-throws', async (store) => {
      if (store.watch === undefined) notApplicable('the store has no watch');
      const stop = store.watch(() => {
        throw new Error('a test watches, and throws');
      });
      const watcher = createWatcher(store);
      equal(await ask(store.commit(acme, registration())), committed, 'a write');
      await watcher.wait(acme);
      stop();
      watcher.stop();
    });
  },
);
