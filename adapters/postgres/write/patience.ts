import { type CommitOutcome, unavailable } from 'dealwright/ports';
import { systemTimer, within } from '../../shared/timer.js';
import { createGatherer, type GathererOptions } from '../../sql/gather.js';
import { tenantText } from '../../sql/tenant.js';
import type { Answered, Settle } from './groups.js';
import type { Write } from './values.js';

type Gather = (write: Write) => Promise<Answered>;

/**
 * The wait of one statement for the logs of several tenants: after it, each tenant waits
 * separately.
 */
export const sharedWait = '100ms';
/** Milliseconds after which a batch counts as delayed. */
const longWait = 100;
/** Tenants that wait separately: each takes a connection of the pool. */
const mostHeld = 3;

/** Separates the writes of a tenant whose log a transaction of a host has locked. */
export interface Patience {
  /**
   * Settles a batch of one tenant. If that takes long, it returns at once with promises of the
   * answers, so that no other batch waits for it.
   */
  readonly settle: Settle;
  /** The gatherer for the writes of this tenant meanwhile; `undefined` if it does not wait. */
  gatherOf(write: Write): Gather | undefined;
}

export function createPatience(
  settle: Settle,
  options: Omit<GathererOptions<Write, CommitOutcome>, 'run' | 'lanes'>,
): Patience {
  const held = new Map<string, Gather>();
  const wait = (tenant: string, under: Promise<unknown>) => {
    if (held.has(tenant)) return;
    const run: Settle = async (batch) => {
      await under;
      return settle(batch);
    };
    held.set(tenant, createGatherer<Write, CommitOutcome>({ ...options, run }));
    void under.then(() => held.delete(tenant));
  };
  return {
    async settle(batch) {
      const tenant = batch[0] === undefined ? '' : tenantText(batch[0].tenant);
      const settled = settle(batch).catch((cause: unknown) =>
        batch.map(() => unavailable({ outcome: 'unknown', cause })),
      );
      const isLong = within(
        systemTimer,
        longWait,
        () => true,
        settled.then(() => false),
      );
      if (!(await isLong)) return settled;
      if (held.size >= mostHeld && !held.has(tenant)) return settled;
      wait(tenant, settled);
      return batch.map(async (_, at) => (await settled)[at] as Answered);
    },
    gatherOf: ({ tenant }) => (held.size === 0 ? undefined : held.get(tenantText(tenant))),
  };
}
