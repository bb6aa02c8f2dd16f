import type { Tenant } from '../domain/tenant.js';
import type { RelayContext } from './consume.js';
import { leaseTime, renewalTime, type Standing, save } from './lease.js';
import type { Sink } from './sink.js';

/** Renews a lease for as long as events are under way. */
export function renewRegularly(
  { context, timer, lease }: Pick<RelayContext, 'context' | 'timer' | 'lease'>,
  tenant: Tenant,
  sink: Sink,
  standing: Standing,
) {
  let isLost = false;
  let isEnded = false;
  let running = Promise.resolve();
  let cancel = () => {};
  const renew = async () => {
    const until = timer.now() + leaseTime;
    const renewed = await save(context, tenant, sink, lease, until, { set: {} });
    // what fails is tried again, while the lease lasts
    if (renewed.isOk() && renewed.value) standing.until = until;
    if (renewed.isOk() && !renewed.value) isLost = true;
    schedule();
  };
  const schedule = () => {
    if (isEnded || isLost) return;
    cancel = timer.sleep(renewalTime, () => {
      running = renew();
    });
  };
  schedule();
  return {
    isLost: () => isLost,
    async end() {
      isEnded = true;
      cancel();
      await running;
    },
  };
}
