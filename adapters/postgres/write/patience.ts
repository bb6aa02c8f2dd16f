import { type CommitOutcome, unavailable } from 'dealwright/ports';
import { createGatherer, type GathererOptions } from '../../sql/gather.js';
import { tenantText } from '../../sql/tenant.js';
import type { Answered, Settle } from './groups.js';
import type { Write } from './values.js';

type Gather = (write: Write) => Promise<Answered>;

/** How long one statement waits for the logs of several tenants: then each is waited for apart. */
export const sharedWait = '100ms';
/** Milliseconds after which a batch counts as held up. */
const longWait = 100;
/** Tenants that are waited for apart: each takes a connection of the pool. */
const mostHeld = 3;

/** Keeps the writes of a tenant apart whose log a transaction of a host has locked. */
export interface Patience {
  /**
   * Settles a batch of one tenant. Where that takes long, it answers at once that it will be
   * answered later, so that nobody waits behind it.
   */
  readonly settle: Settle;
  /** Where the writes of this tenant go meanwhile; nothing where it is not waited for. */
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
      if (!(await isLong(settled))) return settled;
      if (held.size >= mostHeld && !held.has(tenant)) return settled;
      wait(tenant, settled);
      return batch.map(async (_, at) => (await settled)[at] as Answered);
    },
    gatherOf: ({ tenant }) => (held.size === 0 ? undefined : held.get(tenantText(tenant))),
  };
}

function isLong(settled: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longWait, true);
    void settled.then(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
