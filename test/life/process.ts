import type { PaymentGateway, Store } from 'dealwright/ports';
import type { Place } from './place.js';

/** When a process ends: before this many calls of its ports, or after the effect of the last one. */
export interface Fuse {
  left: number;
  readonly isAfter: boolean;
}

/** The ports of a process: once its fuse has burnt down, its calls do nothing. */
export function createProcess(
  { store, files }: Pick<Place, 'store' | 'files'>,
  gateway: PaymentGateway,
) {
  let fuse: Fuse | undefined;
  let isDead = false;
  const died = new Error('the process has ended');
  const mortal =
    <A extends unknown[], R>(call: (...args: A) => R | PromiseLike<R>) =>
    async (...args: A): Promise<R> => {
      if (isDead) throw died;
      if (fuse === undefined || fuse.left-- > 0) return call(...args);
      isDead = true;
      if (fuse.isAfter) await call(...args);
      throw died;
    };
  const { deals } = store;
  const ports = {
    store: {
      ...store,
      commit: mortal(store.commit),
      due: mortal(store.due),
      deals: { ...deals, byPartnerId: mortal(deals.byPartnerId) },
    } as Store,
    payments: {
      executes: gateway.executes,
      execute: mortal(gateway.execute.bind(gateway)),
    } as PaymentGateway,
    files,
  };
  return {
    ports,
    isDead: () => isDead,
    isLit: () => fuse !== undefined,
    light(next: Fuse | undefined) {
      fuse = next;
    },
  };
}
