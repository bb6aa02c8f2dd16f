import { isTenant } from 'dealwright';
import type { Clock, Tenant } from 'dealwright/ports';

/**
 * A clock that can be moved forward for one partner of the sandbox and for nobody else (decision
 * 6.6). Production keeps the time of `clock`. How far each partner's time was moved is kept in
 * memory: it is lost when the process ends, and other processes know nothing of it.
 *
 * @example
 * ```ts
 * import { createSandboxClock, createSystemPorts } from 'dealwright/system';
 *
 * const system = createSystemPorts();
 * const ports = { ...system, clock: createSandboxClock(system.clock) };
 * ```
 */
export function createSandboxClock(clock: Clock): Required<Clock> {
  if (typeof clock?.now !== 'function') {
    throw new TypeError('createSandboxClock: clock is a clock, with now()');
  }
  const offsets = new Map<string, number>();
  const offsetOf = ({ environment, partner }: Tenant): number =>
    environment === 'sandbox' ? (offsets.get(partner) ?? 0) : 0;
  return {
    now: (tenant) => clock.now(tenant) + offsetOf(tenant),
    move(tenant, milliseconds) {
      if (!isTenant(tenant) || tenant.environment !== 'sandbox' || !(milliseconds >= 0)) {
        throw new TypeError('a sandbox clock moves forward, for a tenant of the sandbox');
      }
      offsets.set(tenant.partner, offsetOf(tenant) + milliseconds);
    },
  };
}
