import { createKeyValueStore, type KeyRange, type KeyValueLike } from 'dealwright/key-value';
import type { Store } from 'dealwright/ports';

/** The part of a client that the store needs: `createClient()` of `@redis/client` has it. */
export interface RedisLike {
  sendCommand(args: readonly string[]): Promise<unknown>;
}

/**
 * A store over Redis 6.2 or later, or another server with its commands. Any number of processes may
 * write to it.
 *
 * - With `appendonly yes` and `appendfsync always`, a write returns once it is on the disk.
 * - The store is one key: do not let the server evict it (`maxmemory-policy noeviction`).
 * - Use the primary server. A replica is late, and may lack the last writes if it takes over.
 */
export function createRedisStore(redis: RedisLike, name?: string): Store {
  return createKeyValueStore(fromRedis(redis, name));
}

/** An ordered key-value store with serializable transactions, in one sorted set of Redis. */
export function fromRedis(redis: RedisLike, name = 'dealwright'): Required<KeyValueLike> {
  const find = async (range: readonly string[]) =>
    (await redis.sendCommand(['ZRANGE', name, ...range])) as string[];
  const inTurn = createTurns();

  /** Runs a transaction. Without an answer, another write has come between. */
  async function attempt<T>(run: (within: KeyValueLike) => Promise<T>): Promise<[T] | undefined> {
    const reads: { readonly range: readonly string[]; readonly found: string }[] = [];
    const changes: { readonly range: readonly string[]; readonly entry?: string }[] = [];
    const answer = await run({
      ...readingBy(async (range) => {
        const found = await find(range);
        reads.push({ range, found: found.join('\n') });
        return found;
      }),
      batch(operations) {
        for (const each of operations) {
          const entry = each.type === 'put' ? { entry: `${each.key}\n${each.value}` } : {};
          changes.push({ range: boundsOf(entryOf(each.key)), ...entry });
        }
      },
    });
    const tried = JSON.stringify({ reads, changes });
    const isMade = (await redis.sendCommand(['EVAL', script, '1', name, tried])) === 1;
    return isMade ? [answer] : undefined;
  }

  const transaction = <T>(run: (within: KeyValueLike) => Promise<T>): Promise<T> =>
    // one after the other, so that only other processes can come between
    inTurn(async () => {
      for (;;) {
        const made = await attempt(run);
        if (made) return made[0];
      }
    });

  return {
    ...readingBy(find),
    transaction,
    batch: (operations) => transaction(async (within) => within.batch(operations)),
  };
}

/**
 * The entries are members of a sorted set with the score 0, so they are in the order of their bytes.
 * An entry is a key, a line feed and a value. Keys are printable, so a line feed sorts before all
 * that follows in a longer key; a value is JSON, so it has none. A read is one command, and so of
 * one moment.
 */
function readingBy(
  find: (range: readonly string[]) => Promise<readonly string[]>,
): Pick<KeyValueLike, 'get' | 'values'> {
  const valuesOf = async ({ gte, lt, reverse, limit = -1 }: KeyRange) => {
    const [first, end] = boundsOf({ gte, lt });
    const range = reverse ? [end, first, 'BYLEX', 'REV'] : [first, end, 'BYLEX'];
    const entries = await find([...range, 'LIMIT', '0', String(limit)]);
    return entries.map((entry) => entry.slice(entry.indexOf('\n') + 1));
  };
  return {
    get: async (key) => (await valuesOf({ ...entryOf(key), reverse: false }))[0],
    async *values(range) {
      yield* await valuesOf(range);
    },
  };
}

type Bounds = Pick<KeyRange, 'gte' | 'lt'>;

/** The range of the one entry of a key. */
const entryOf = (key: string): Bounds => ({ gte: `${key}\n`, lt: `${key}\v` });

/** `[` includes a bound, and `(` excludes it. */
const boundsOf = ({ gte, lt }: Bounds) => [`[${gte}`, `(${lt}`] as const;

/** Makes all changes of a transaction, if its reads would still find the same. */
const script = `
local tried = cjson.decode(ARGV[1])
for _, read in ipairs(tried.reads) do
  local found = redis.call('ZRANGE', KEYS[1], unpack(read.range))
  if table.concat(found, '\\n') ~= read.found then return 0 end
end
for _, change in ipairs(tried.changes) do
  redis.call('ZREMRANGEBYLEX', KEYS[1], unpack(change.range))
  if change.entry then redis.call('ZADD', KEYS[1], 0, change.entry) end
end
return 1`;

/** Runs tasks one after the other, also after one that fails. */
function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const taken = last.then(task);
    last = taken.catch(() => undefined);
    return taken;
  };
}
