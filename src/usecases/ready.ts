import { err, ok, type Result } from 'neverthrow';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { CommitOutcome, WriteSet } from '../ports/write-set.js';

/** Milliseconds between two probes of a store that refuses them. */
const probePause = 5_000;

/** More integers than a store has at hand, so that it has to write for them. They stay unused. */
const probeSize = 20_001;

/**
 * Characters of the record that a probe writes: more than what is free in the pages of a database,
 * and than the pages that a deal changes with all its indexes.
 */
const probeLength = 131_072;

/** A tenant without deals: reading one costs as much as any read, and shows nothing. */
export const noTenant: Tenant = { environment: 'sandbox', partner: 'dealwright' };

/** The same for all processes: a store has at most one such record, and mostly none. */
const probeKey = 'probe';

/** Before any other end, so that pruning up to this time deletes this record alone. */
const ended = formatTimestamp(0);

type Written<T> = Result<T, PortProblem>;

/**
 * Says whether a store can be read and written. It relies on the last write of any caller. After a
 * failed one, a probe tells whether the store or that one record is to blame, as long as there are
 * calls of `ready`. The result of a probe counts until another write fails, and for 5 seconds if
 * the probe failed.
 */
export function watchWrites(ports: GuardedPorts) {
  /** The number of failed writes, and whether none has succeeded since the last of them. */
  let failures = 0;
  let isDoubted = false;
  /** The last probe, and the number of failed writes when it started. */
  let probe:
    | { readonly at: number; readonly failures: number; readonly answer: Promise<Written<void>> }
    | undefined;

  function note<T>(written: Written<T>, isWrite: boolean): Written<T> {
    if (written.isErr()) {
      failures += 1;
      isDoubted = true;
    } else if (isWrite) isDoubted = false;
    return written;
  }
  const begin = (): Promise<Written<void>> => {
    const answer = probeStore(ports).then((probed) => {
      // it does not explain a write that failed meanwhile
      if (probed.isOk() && probe?.failures === failures) isDoubted = false;
      return probed;
    });
    probe = { at: ports.realTime().unwrapOr(0), failures, answer };
    return answer;
  };
  const ready = async (): Promise<Written<void>> => {
    const read = await ports.dealById(noTenant, 1, []);
    if (read.isErr() || !isDoubted) return read.map(() => undefined);
    const since = failures;
    const known = await probe?.answer;
    // a write that succeeded meanwhile is newer
    if (!isDoubted) return ok(undefined);
    const age = ports.realTime().unwrapOr(0) - (probe?.at ?? 0);
    const isCurrent = known?.isErr()
      ? age >= 0 && age < probePause
      : probe !== undefined && probe.failures >= since;
    const answered = await (isCurrent ? probe?.answer : begin());
    return isDoubted && answered?.isErr() ? err(answered.error) : ok(undefined);
  };
  const watched: GuardedPorts = {
    ...ports,
    commit(tenant, write) {
      const answer = ports.commit(tenant, write);
      return answer instanceof Promise
        ? answer.then((written) => note(written, true))
        : note(answer, true);
    },
    reserve(...asked) {
      const answer = ports.reserve(...asked);
      // most are given from memory: only a failure proves anything
      return answer instanceof Promise
        ? answer.then((written) => note(written, false))
        : note(answer, false);
    },
  };
  return { ports: watched, ready };
}

/**
 * Writes a record that needs room, as a create does, and deletes it again. An existing one is
 * replaced: a store may keep everything, and another process may be probing too.
 */
async function probeStore(ports: GuardedPorts): Promise<Written<void>> {
  const reserved = await ports.reserve(noTenant.environment, probeSize);
  if (reserved.isErr()) return err(reserved.error);
  const commit = async (
    write: Pick<WriteSet, 'expect' | 'insert' | 'change'>,
  ): Promise<Written<CommitOutcome>> => {
    const id = ports.nextId();
    if (id.isErr()) return err(id.error);
    return ports.commit(noTenant, { attempt: id.value, ...write, events: [] });
  };
  const key = probeKey;
  const row = {
    answer_key: key,
    fingerprint: '',
    answer: JSON.stringify({ probe: noise(probeLength) }),
    ends_at: ended,
  };
  const made = await commit({
    expect: [{ absent: 'answer', key }],
    insert: [{ kind: 'answer', row }],
    change: [],
  });
  // if it is gone meanwhile, another process has probed
  const written =
    made.isOk() && made.value.outcome === 'refused'
      ? await commit({
          expect: [{ present: 'answer', key }],
          insert: [],
          change: [{ kind: 'answer', key, set: { answer: row.answer } }],
        })
      : made;
  // if this fails, the record is pruned like any other
  if (written.isOk()) await ports.prune('answer', ended, 1);
  return written.map(() => undefined);
}

/** Text that databases cannot compress; it need not be random. */
function noise(length: number): string {
  let text = '';
  for (let state = 1; text.length < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(36).slice(0, 4);
  }
  return text.slice(0, length);
}
