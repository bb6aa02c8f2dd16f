import type { Store, Tenant } from 'dealwright/ports';
import { createWatchers, type Watchers } from '../../sql/watch.js';
import type { Settings } from '../connection/options.js';
import type { SendOnce } from '../connection/send.js';
import { channelOf, createNotifier, keepListening, tenantsOf } from './notifications.js';

/** Notifies of logs that have grown, here and in other processes. */
export interface StoreWatch {
  readonly watch: NonNullable<Store['watch']>;
  /** Notes that a write of this store has made the log of a tenant grow. */
  hasGrown(tenant: Tenant): void;
}

/** Listens to other processes while there are watchers. */
export function createWatch(
  send: SendOnce,
  { schema, notifications, notify }: Pick<Settings, 'schema' | 'notifications' | 'notify'>,
): StoreWatch {
  const watchers: Watchers = createWatchers();
  const channel = channelOf(schema);
  const notifier = createNotifier(send, channel);
  const hear = (payload: string) => {
    for (const tenant of tenantsOf(payload, notifier.id)) watchers.tell(tenant);
  };
  let watching = 0;
  let stopListening: (() => void) | undefined;
  return {
    watch(listener) {
      const stop = watchers.watch(listener);
      watching += 1;
      if (notifications !== undefined) {
        stopListening ??= keepListening(notifications, channel, hear);
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        stop();
        watching -= 1;
        if (watching > 0) return;
        stopListening?.();
        stopListening = undefined;
      };
    },
    hasGrown(tenant) {
      watchers.tell(tenant);
      if (notify) notifier.note(tenant);
    },
  };
}
