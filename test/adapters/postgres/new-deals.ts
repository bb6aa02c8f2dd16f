import type { CommitOutcome, PortFailure, Tenant, WriteSet } from 'dealwright/ports';
import type { PostgresLike, PostgresStore } from 'dealwright/postgres';
import { err, type Result } from 'neverthrow';
import { creation } from '../../../spec/store/writes.js';

/** Above the ids that a store reserves in a test. */
let last = 1_000_000_000;

/** The creation of a deal with a number that no other deal of this process has. */
export function dealOf(partner_id: string, stages = 0): WriteSet {
  last += 1 + stages;
  return creation(partner_id, Array.from({ length: 1 + stages }, (_, at) => last - at).reverse());
}

/** Creates a deal with integers of the store: its id, and then those of its stages. */
export async function createDeal(
  store: PostgresStore,
  tenant: Tenant,
  partner_id: string,
  stages = 1,
): Promise<Result<{ readonly id: number; readonly outcome: CommitOutcome }, PortFailure>> {
  const reserved = await store.reserve(tenant.environment, 1 + stages);
  if (reserved.isErr()) return err(reserved.error);
  const id = reserved.value;
  const numbers = Array.from({ length: 1 + stages }, (_, at) => id + at);
  const committed = await store.commit(tenant, creation(partner_id, numbers));
  return committed.map((outcome) => ({ id, outcome }));
}

type Rows = Awaited<ReturnType<PostgresLike['query']>>['rows'];

/** How many writes a statement holds; 0 if it is not a commit. */
export function writesIn(text: string, values: readonly unknown[]): number {
  if (text.includes('.commit_one_')) return 1;
  if (!text.includes('.commit_')) return 0;
  const owners = values[text.includes('.commit_node_') ? 1 : 0];
  return String(owners).split(',').length;
}

/** The answer of a database that makes all writes of a statement. */
export function allMade(text: string): Rows {
  return [{ answer: text.includes('.commit_one_') ? 'null' : '[]' }];
}
