import type { CommitOutcome } from 'dealwright/ports';
import { createGatherer } from '../../sql/gather.js';
import type { GatherSettings } from '../connection/options.js';
import type { SendOnce } from '../connection/send.js';
import { batchWeight, type Commit, lanes } from '../write/commit.js';
import { isShared, type Settle, settleByTenant } from '../write/groups.js';
import {
  commitNodeStatement,
  commitOneStatement,
  commitSharedStatement,
} from '../write/statements.js';
import { valuesOfNode, type Write } from '../write/values.js';
import { createWriter } from '../write/writer.js';
import type { Nodes } from './nodes.js';

/**
 * The way writes are sent on a cluster. Each node has its own queue: while one of them is down, the
 * others go on. Writes of shared records need all nodes, and have their own turns.
 */
export function createNodeCommit(
  send: SendOnce,
  schema: string,
  nodes: Nodes,
  gather: GatherSettings,
): Commit {
  const writer = createWriter(send, {
    one: commitOneStatement(schema),
    shared: commitSharedStatement(schema),
    many: commitNodeStatement(schema),
    valuesOf: valuesOfNode,
  });
  const gatherer = (run: Settle, most: number): Commit =>
    createGatherer<Write, CommitOutcome>({ run, ...gather, ...batchWeight, lanes: most });
  const shared = gatherer(
    (batch) => settleByTenant(batch, (group) => writer.writeOneByOne(group)),
    1,
  );
  const gathererOf = (node: string | undefined): Commit =>
    node === undefined
      ? gatherer((batch) => settleByTenant(batch, (group) => writer.writeTogether(group)), lanes)
      : // a larger batch costs a node less for each write, and other nodes are busy meanwhile
        gatherer((batch) => writer.writeTogether(batch), 1);
  const gatherers = new Map<string | undefined, Commit>();
  return async (write) => {
    if (isShared(write)) return shared(write);
    const found = nodes.nodeOf(write.tenant);
    const node = typeof found === 'object' ? await found : found;
    const commit = gatherers.get(node) ?? gathererOf(node);
    gatherers.set(node, commit);
    return commit(write);
  };
}
