import type { MarketplacePorts } from 'dealwright/ports';
import { type MethodPath, withFault } from 'dealwright/testing';

const methods: readonly MethodPath<MarketplacePorts['store']>[] = [
  'commit',
  'due',
  'tenants',
  'deals.byPartnerId',
  'events.after',
  'events.of',
  'records.byKey',
  'records.list',
];

/** The same ports, but the nth call of store, ids, clocks and digest throws. */
export function failingAt(ports: MarketplacePorts, nth: number) {
  const cause = new Error('a port that is broken');
  let count = 0;
  const fault = (call: () => unknown) => {
    count += 1;
    if (count === nth) throw cause;
    return call();
  };
  const store = methods.reduce((port, method) => withFault(port, method, fault), ports.store);
  const broken: MarketplacePorts = {
    ...ports,
    store,
    ids: withFault(ports.ids, 'next', fault),
    clock: withFault(ports.clock, 'now', fault),
    timer: withFault(ports.timer, 'now', fault),
    digest: (text) => fault(() => ports.digest(text)) as ReturnType<typeof ports.digest>,
  };
  return { ports: broken, cause, isReached: () => count >= nth };
}
