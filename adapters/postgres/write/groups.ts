import { type CommitOutcome, type PortFailure, shapeOf } from 'dealwright/ports';
import type { Result } from 'neverthrow';
import { tenantText } from '../../sql/tenant.js';
import type { Write } from './values.js';

/** The result of a write. */
export type Answered = Result<CommitOutcome, PortFailure>;
/** The results of the writes of a batch, or promises of them. */
export type Answers = readonly (Answered | PromiseLike<Answered>)[];
export type Settle = (batch: readonly Write[]) => Promise<Answers>;

/** Tenants of a batch whose writes are sent at once: two batches leave room in a pool of ten. */
const mostGroups = 4;

export function groupOfTenant({ tenant }: Write): string {
  return tenantText(tenant);
}

/** Whether it inserts records that tenants share. */
export function isShared({ set }: Write): boolean {
  return set.insert.some(({ kind }) => shapeOf(kind).of === 'environment');
}

/** Sends the writes of each tenant separately, so that tenants do not wait for each other. */
export async function settleByTenant(batch: readonly Write[], settle: Settle): Promise<Answers> {
  const groups = new Map<string, number[]>();
  for (const [at, write] of batch.entries()) {
    const name = groupOfTenant(write);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(at);
  }
  const answers: Answers[number][] = [];
  const left = groups.values();
  const settleLeft = async () => {
    for (const group of left) {
      const own = await settle(group.map((at) => batch[at] as Write));
      for (const [nth, at] of group.entries()) answers[at] = own[nth] as Answers[number];
    }
  };
  // all of them take from the same groups
  await Promise.all(Array.from({ length: mostGroups }, settleLeft));
  return answers;
}
