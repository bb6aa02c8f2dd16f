import {
  type CommitOutcome,
  checkOptions,
  type Environment,
  type PortFailure,
  type Store,
  type Tenant,
  type WriteSet,
} from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createTurns, type Turns } from '../../shared/turns.js';
import { type Failure, forHost, made, portFailure, unreadable } from '../connection/failures.js';
import type { Settings } from '../connection/options.js';
import type { PostgresLike } from '../connection/postgres-like.js';
import {
  createSender,
  type KnownStatements,
  type SendOnce,
  type Statement,
  statement,
} from '../connection/send.js';
import { channelOf, payloadOf } from '../read/notifications.js';
import { createReading } from '../read/read-sql.js';
import { createReads } from '../read/reads.js';
import { firstOf, type IdBlocks, takeIdsWithinStatement, usedUp } from './id-blocks.js';
import { commitOneCall } from './statements.js';
import { type Obstacle, outcomeOf, valuesOfOne } from './values.js';

/** Makes stores over connections that are within a transaction of the host. */
export type Within = (connection: PostgresLike) => Omit<Store, 'watch'>;

const control = (text: string): Statement => ({ does: 'savepoint', name: '', text });
const begin = control('savepoint dealwright');
const undo = control('rollback to savepoint dealwright');
const end = control('release savepoint dealwright');

/**
 * One write, as words, with a limit on its wait for a lock. The host's own limit is restored after
 * it: a `set local` outlives a savepoint.
 */
function commitStatement(schema: string, notify: boolean): Statement {
  const told = notify
    ? `, case when made.answer = 'null' and $3::bigint > 0 then pg_notify($6::text, $7::text)::text end as told`
    : '';
  return statement(
    'commit',
    '_within',
    `with host as materialized (select current_setting('lock_timeout') as own),
    bounded as materialized (select set_config('lock_timeout', $5::text, true) as bound from host),
    made as materialized (select ${commitOneCall(schema)} as answer from bounded where bound is not null)
    select made.answer as answer, set_config('lock_timeout', host.own, true) as restored${told}
    from made, host`,
  );
}

/**
 * A store within transactions of its host: one statement after the other, each sent once, all on
 * the connection of the transaction. Waiting for another connection while all of a pool are in such
 * transactions would never end.
 */
export function createWithin(
  settings: Settings,
  ids: Readonly<Record<Environment, IdBlocks>>,
  known: KnownStatements,
): Within {
  const { schema, notify, lockTimeout } = settings;
  const takeIds = takeIdsWithinStatement(schema);
  const commitOne = commitStatement(schema, notify);
  const channel = channelOf(schema);
  const from = crypto.randomUUID();
  /** Stores over one connection take turns with each other. */
  const turnsOf = new WeakMap<PostgresLike, Turns>();

  return (connection) => {
    checkOptions('within', {
      'the connection has no query()': typeof Object(connection).query === 'function',
    });
    const turns = turnsOf.get(connection) ?? createTurns();
    turnsOf.set(connection, turns);
    const send = createSender(connection, settings);
    const sendControl = createSender(connection, { ...settings, prepare: false, hooks: {} });

    const commit = async (
      tenant: Tenant,
      set: WriteSet,
    ): Promise<Result<CommitOutcome, Failure>> => {
      const values = made(() => valuesOfOne({ tenant, set }));
      if (values.isErr()) return err(forHost(values.error, 'usable', lockTimeout));
      const told = notify ? [channel, payloadOf(from, [String(values.value[0])])] : [];
      const begun = await sendControl(begin, []);
      if (begun.isErr()) return err(forHost(begun.error, 'lost', lockTimeout));
      const sent = await send(commitOne, [...values.value, `${lockTimeout}ms`, ...told]);
      const read = sent.andThen(([text]) =>
        made(() => outcomeOf(JSON.parse(text ?? '') as Obstacle | null), unreadable),
      );
      if (read.isErr()) return err(await undone(read.error));
      const isChanged = set.insert.length + set.change.length + set.events.length > 0;
      const isMade = read.value.outcome === 'committed' && isChanged;
      // a refused write must not hold a lock of the tenant until the host commits
      const ended = isMade ? await sendControl(end, []) : await takeBack();
      return ended.isOk() ? read : err(forHost(ended.error, 'lost', lockTimeout));
    };
    const takeBack = async () => {
      const back = await sendControl(undo, []);
      return back.isOk() ? sendControl(end, []) : back;
    };
    const undone = async (failure: Failure): Promise<Failure> => {
      // after a conflict of transactions nothing succeeds within this one
      const isOver = failure.isConnectionLost || failure.retry === 'again';
      const isLockTimeout = failure.code === '55P03';
      const back = isOver && !isLockTimeout ? undefined : await takeBack();
      const isUsable = back?.isOk() === true && connection.rollsBack !== true;
      return forHost(failure, isUsable ? 'usable' : 'lost', lockTimeout);
    };
    const read: SendOnce = (...sending) =>
      turns(async () =>
        (await send(...sending)).mapErr((failure) => forHost(failure, 'lost', lockTimeout)),
      );
    const reserve: Store['reserve'] = async (environment, count, above) => {
      const first = ids[environment].takeAtOnce(count, above);
      if (first !== undefined) return ok(first);
      const sent = await read(takeIds, [count, environment]);
      return sent
        .andThen(firstOf)
        .mapErr((failure) =>
          failure === usedUp ? forHost(usedUp, 'usable', lockTimeout) : failure,
        )
        .orElse((failure) => portFailure(failure, false));
    };
    return {
      commit: (tenant, set) =>
        turns(
          async (): Promise<Result<CommitOutcome, PortFailure>> =>
            (await commit(tenant, set)).orElse((failure) => portFailure(failure, false)),
        ),
      reserve,
      ...createReads(read, createReading(read), { schema, gather: undefined }, known),
    };
  };
}
