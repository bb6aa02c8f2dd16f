import type { CommitOutcome } from 'dealwright/ports';
import { createGatherer } from '../../sql/gather.js';
import type { GatherSettings } from '../connection/options.js';
import type { Doubt, SendOnce } from '../connection/send.js';
import { type Answered, groupOfTenant, settleByTenant } from './groups.js';
import { createPatience } from './patience.js';
import { boundedStatement, commitOneStatement, commitStatement } from './statements.js';
import { valuesOfMany, type Write, weigh } from './values.js';
import { createWriter, type Writer } from './writer.js';

/** Commits a write, in one atomic decision. */
export type Commit = (write: Write) => Promise<Answered>;

/** Batches under way: the server works on one while answers to the other are read here. */
export const lanes = 2;
/** The size of a batch: beside 8 MiB of rows its text has room for all the rest. */
export const batchWeight = { maxSize: 8 * 1_024 * 1_024, weigh };

/** Commits writes on one server: alone, or gathered with others. */
export function createCommit(
  send: SendOnce,
  schema: string,
  gather: GatherSettings | undefined,
): Commit {
  const one = commitOneStatement(schema);
  const many = commitStatement(schema);
  const writer = createWriter(send, { one, shared: one, many, valuesOf: valuesOfMany });
  return gather === undefined
    ? (write) => writer.writeOne(write)
    : createGatheredCommit(writer, schema, gather);
}

/** Writes of all tenants are sent together; those that a lock delays, each tenant by itself. */
function createGatheredCommit(writer: Writer, schema: string, gather: GatherSettings): Commit {
  const gathering = { ...gather, ...batchWeight };
  const statement = boundedStatement(schema);
  const doubts = new WeakMap<Write, Doubt>();
  const patience = createPatience((batch) => {
    const isOpen = batch.some((write) => doubts.get(write)?.isOpen);
    return writer.writeTogether(batch, { isOpen });
  }, gathering);
  const commit = createGatherer<Write, CommitOutcome>({
    ...gathering,
    lanes,
    run(batch) {
      if (new Set(batch.map(groupOfTenant)).size === 1) return patience.settle(batch);
      const settle = (doubt: Doubt) => {
        for (const write of batch) doubts.set(write, doubt);
        return settleByTenant(batch, patience.settle);
      };
      return writer.writeTogether(batch, { isOpen: false }, { statement, settle });
    },
  });
  return (write) => (patience.gatherOf(write) ?? commit)(write);
}
