import { err, ok, type Result } from 'neverthrow';
import type { Pruned } from '../api/answers.js';
import type { EndingKind } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Context } from './context.js';
import { endDeletedWebhooks } from './webhooks.js';

/** How many records of a kind one call deletes: other writes run between two calls. */
const batchSize = 500;

/** A kind under another comes before it. */
const kinds: readonly EndingKind[] = [
  'delivery',
  'consumer',
  'webhook',
  'unmatched_report',
  'answer',
];

/** How many tenants one call searches for deleted webhooks without an end. */
const tenantsAtOnce = 100;

/** Deletes a batch of expired records: idempotency keys, and the rest of deleted webhooks. */
export function createPrune({ ports }: Context): () => Promise<Result<Pruned, PortProblem>> {
  // earlier versions gave deleted webhooks no end: each tenant is searched once
  let rest: { readonly after: Tenant | undefined } | undefined = { after: undefined };

  const lookThrough = async (now: number): Promise<Result<void, PortProblem>> => {
    const page = await ports.tenants(rest?.after, tenantsAtOnce);
    if (page.isErr()) return err(page.error);
    for (const { tenant } of page.value) {
      const ended = await endDeletedWebhooks(ports, tenant, now);
      if (ended.isErr()) return err(ended.error);
    }
    const after = page.value.at(-1)?.tenant;
    rest = after && { after };
    return ok(undefined);
  };

  return async () => {
    const now = ports.realTime();
    if (now.isErr()) return err(now.error);
    const before = formatTimestamp(now.value);
    let [deleted, isMore] = [0, false];
    for (const kind of kinds) {
      const gone = await ports.prune(kind, before, batchSize);
      if (gone.isErr()) return err(gone.error);
      deleted += gone.value;
      isMore ||= gone.value >= batchSize;
    }
    // a tenant that cannot be searched does not delay expired records
    if (isMore || rest === undefined) return ok({ deleted, isMore });
    const looked = await lookThrough(now.value);
    // records that got their end now are deleted by the next call
    return looked.map(() => ({ deleted, isMore: true }));
  };
}
