import { err, ok, type Result } from 'neverthrow';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { CommitOutcome, WriteSet } from '../ports/write-set.js';

/** Milliseconds between two probes of a store that refuses them. */
const probePause = 5_000;

/** More integers than a store has at hand, so that it has to write for them. Nobody misses them. */
const probeSize = 20_001;

/** Characters of the record that a probe writes: more than what is free in the pages of a database. */
const probeLength = 65_536;

/** Has no deals: to ask for one costs what any read costs, and shows nothing. */
export const nobody: Tenant = { environment: 'sandbox', partner: 'dealwright' };

/** Of all processes: however many probe at once, a store has one such record, and mostly none. */
const probeKey = 'probe';

/** Before anything else has ended, so that what is deleted up to then is this record alone. */
const ended = formatTimestamp(0);

type Written<T> = Result<T, PortProblem>;

/**
 * Says whether a store can be read and written. It goes by the last write, whoever made it: after one
 * that failed, a write of its own tells whether the store or that one record is to blame, for as long
 * as somebody asks. What a probe has found counts until another write fails, and for 5 seconds if it
 * has failed.
 */
export function watchWrites(ports: GuardedPorts) {
  /** How many writes have failed, and whether none was made since the last of them. */
  let failures = 0;
  let isDoubted = false;
  /** The last probe, and how many writes had failed when it began. */
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
      // a write that failed meanwhile is not explained by it
      if (probed.isOk() && probe?.failures === failures) isDoubted = false;
      return probed;
    });
    probe = { at: ports.realTime().unwrapOr(0), failures, answer };
    return answer;
  };
  const ready = async (): Promise<Written<void>> => {
    const read = await ports.dealById(nobody, 1, []);
    if (read.isErr() || !isDoubted) return read.map(() => undefined);
    const since = failures;
    const known = await probe?.answer;
    // a write that came meanwhile knows better
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
    reserve(environment, count) {
      const answer = ports.reserve(environment, count);
      // most are given from memory: only a failure tells something
      return answer instanceof Promise
        ? answer.then((written) => note(written, false))
        : note(answer, false);
    },
  };
  return { ports: watched, ready };
}

/**
 * Writes what needs room, as a create does, and deletes it again. One that is there is replaced: a
 * store may keep everything, and another process may be at it too.
 */
async function probeStore(ports: GuardedPorts): Promise<Written<void>> {
  const reserved = await ports.reserve(nobody.environment, probeSize);
  if (reserved.isErr()) return err(reserved.error);
  const commit = async (
    write: Pick<WriteSet, 'expect' | 'insert' | 'change'>,
  ): Promise<Written<CommitOutcome>> => {
    const id = ports.nextId();
    if (id.isErr()) return err(id.error);
    return ports.commit(nobody, { attempt: id.value, ...write, events: [] });
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
  // where it has gone meanwhile, another probe was made
  const written =
    made.isOk() && made.value.outcome === 'refused'
      ? await commit({
          expect: [{ present: 'answer', key }],
          insert: [],
          change: [{ kind: 'answer', key, set: { answer: row.answer } }],
        })
      : made;
  // what is left of it ends as all else does
  if (written.isOk()) await ports.prune('answer', ended, 1);
  return written.map(() => undefined);
}

/** Text that no database can compress, and none needs to be random. */
function noise(length: number): string {
  let text = '';
  for (let state = 1; text.length < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(36).slice(0, 4);
  }
  return text.slice(0, length);
}
