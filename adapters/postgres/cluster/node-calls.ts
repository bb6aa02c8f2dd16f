import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { CommitOutcome, PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../../sql/gather.js';
import { tenantOf } from '../../sql/tenant.js';
import { made, mayBeOfOne, portFailure, unreadable } from '../connection/failures.js';
import type { GatherOptions, GatherSettings } from '../connection/options.js';
import {
  arrayText,
  quoted,
  type SendOnce,
  type Statement,
  sendUntil,
  statement,
} from '../connection/send.js';
import { functions } from '../functions/index.js';
import { separator } from '../functions/reads.js';
import {
  createReading,
  type Read,
  type Reading,
  type Texts,
  type Values,
} from '../read/read-sql.js';
import { batchWeight, type Commit, lanes } from '../write/commit.js';
import { isShared, type Settle, settleByTenant } from '../write/groups.js';
import {
  commitNodeStatement,
  commitOneStatement,
  commitSharedStatement,
} from '../write/statements.js';
import { valuesOfNode, type Write } from '../write/values.js';
import { createWriter } from '../write/writer.js';
import type { Nodes, Places } from './nodes.js';

/** The most reads of a call: each may return a thousand rows. */
const largestBatch = 64;

/** The rows of a read; `undefined` if the node could not carry it out. */
type Found = Texts | undefined;
type Answer<T> = Promise<Result<T, PortFailure>>;

/**
 * The way a store reads on a cluster: simultaneous reads of tenants of one node by one statement
 * are one call of a function there, which the coordinator only passes on. A read of data that the
 * node does not have is sent as a plain statement, which the coordinator plans: slower, and never
 * wrong.
 */
export function createNodeReading(
  send: SendOnce,
  schema: string,
  nodes: Nodes,
  gather: Required<GatherOptions>,
): Reading {
  const plain = createReading(send);
  const call = createCall(send, schema);
  const readTogether = async (asked: Statement, batch: readonly Values[]) => {
    const found: Found[] = batch.map(() => undefined);
    let left = [...batch.keys()];
    // the text is sent too if a connection does not know it yet
    for (const text of [null, asked.text]) {
      const reads = left.map((at) => batch[at] as Values);
      const first = String(reads[0]?.[0]);
      const sent = await call('tenant', first, asked, text, reads);
      if (sent.isErr()) return batch.map(() => err(sent.error));
      for (const [nth, at] of left.entries()) found[at] = rowsIn(sent.value?.[nth])?.rows;
      left = left.filter((at) => found[at] === undefined);
      if (left.length === 0 || sent.value === undefined) break;
    }
    return found.map((each) => ok(each));
  };
  const gatherers = new Map<string, (values: Values) => Answer<Found>>();
  const gathererOf = (node: string, asked: Statement) => {
    const name = `${node} ${asked.name}`;
    const known = gatherers.get(name);
    if (known !== undefined) return known;
    const maxBatch = Math.min(gather.maxBatch, largestBatch);
    const run = (batch: readonly Values[]) => readTogether(asked, batch);
    const gatherer = createGatherer<Values, Found>({ run, ...gather, maxBatch, lanes });
    gatherers.set(name, gatherer);
    return gatherer;
  };
  const ofTenant: Read = async (asked, values, answerOf) => {
    const known = nodes.nodeOf(tenantOf(String(values[0])));
    const node = typeof known === 'object' ? await known : known;
    const found = node === undefined ? ok(undefined) : await gathererOf(node, asked)(values);
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return plain.ofTenant(asked, values, answerOf);
    return answer(found.value, answerOf);
  };

  /** The rows of a node, and the shards that it has read. */
  const readNode = async (first: string, asked: Statement, values: Values) => {
    for (const text of [null, asked.text]) {
      const sent = await call('node', first, asked, text, [values]);
      if (sent.isErr()) return err(sent.error);
      const found = rowsIn(sent.value?.[0]);
      if (found !== undefined) return ok(found);
    }
    return ok({ shards: [], rows: [] });
  };
  const readAll = async (places: Places, asked: Statement, values: Values): Answer<Found> => {
    const all = await Promise.all(places.names.map((first) => readNode(first, asked, values)));
    const shards = new Set<string>();
    let count = 0;
    const found: (readonly [key: string, row: string])[] = [];
    for (const each of all) {
      if (each.isErr()) return err(each.error);
      for (const shard of each.value.shards) shards.add(shard);
      count += each.value.shards.length;
      for (const row of each.value.rows) found.push([keyOf(row), row]);
    }
    // while a shard moves, it may be read twice, or not at all
    if (shards.size !== places.shards || count !== places.shards) return ok(undefined);
    return ok(found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
  };
  const ofAll: Read = async (asked, values, answerOf) => {
    const places = await nodes.places();
    const found = places === undefined ? ok(undefined) : await readAll(places, asked, values);
    if (found.isErr()) return err(found.error);
    if (found.value !== undefined) return answer(found.value, answerOf);
    nodes.forget();
    return plain.ofAll(asked, values, answerOf);
  };
  return { ofTenant, ofAll };
}

/**
 * Calls the function of a node; `undefined` if one of several reads may have failed all of them.
 */
function createCall(send: SendOnce, schema: string) {
  const { name, text: calling } = statement(
    'read_node',
    '',
    `select ${quoted(schema)}.${functions.read.name}($1::text, $2::text, $3::text, $4::text, $5::text) as answer`,
  );
  return (
    of: 'tenant' | 'node',
    first: string,
    asked: Statement,
    text: string | null,
    reads: readonly Values[],
  ): Answer<Found> =>
    sendUntil(async (retries) => {
      // a name ends in a digest of its text
      const [digest = ''] = /[0-9a-f]+$/.exec(asked.name) ?? [];
      const values = [first, of, digest, text, arrayText(reads.map((each) => arrayText(each)))];
      const made = { does: asked.does, name, text: calling };
      const sent = await send(made, values, reads.length, retries);
      return sent.isErr() && reads.length > 1 && mayBeOfOne(sent.error) ? ok(undefined) : sent;
    }, 'read');
}

/** The answer of a node to a read, if there is one. */
function rowsIn(text: string | null | undefined) {
  const [own = '', count, ...rows] = text?.split(String.fromCharCode(separator)) ?? [];
  return count === String(rows.length) ? { shards: own.match(/\d+/g) ?? [], rows } : undefined;
}

/**
 * The sort key of a row that begins with its tenant, in the order of the database: that of UTF-8.
 */
function keyOf(row: string): string {
  const [tenant] = JSON.parse(row) as readonly [string];
  return bytesToHex(utf8ToBytes(tenant));
}

function answer<T>(texts: Texts, answerOf: (texts: Texts) => T): Result<T, PortFailure> {
  return made(() => answerOf(texts), unreadable).orElse((failure) =>
    portFailure({ ...failure, outcome: 'none' }, false),
  );
}

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
