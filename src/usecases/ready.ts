import { ok, type Result } from 'neverthrow';
import type { Tenant } from '../domain/tenant.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { PortProblem } from '../ports/port-problem.js';

/** Milliseconds between two probes of a store that has refused a write. */
const probePause = 5_000;

/** More integers than a store has at hand, so that it has to write for them. Nobody misses them. */
const probeSize = 20_001;

/** Has no deals: to ask for one costs what any read costs, and shows nothing. */
export const nobody: Tenant = { environment: 'sandbox', partner: 'dealwright' };

type Written<T> = Result<T, PortProblem>;

/**
 * Says whether a store can be read and written. It goes by the last write, whoever made it: after one
 * that failed, a write of its own tells whether the store or that one record is to blame, every 5
 * seconds at most, for as long as somebody asks.
 */
export function watchWrites(ports: GuardedPorts) {
  let isDoubted = false;
  let probe: { readonly at: number; readonly answer: Promise<Written<unknown>> } | undefined;

  function note<T>(written: Written<T>, isWrite: boolean): Written<T> {
    if (written.isErr()) isDoubted = true;
    else if (isWrite) isDoubted = false;
    return written;
  }
  const probeOnce = async (): Promise<Written<unknown>> =>
    note(await ports.reserve(nobody.environment, probeSize), true);

  const ready = async (): Promise<Result<void, PortProblem>> => {
    const read = await ports.dealById(nobody, 1, []);
    if (read.isErr() || !isDoubted) return read.map(() => undefined);
    const now = ports.realTime().unwrapOr(0);
    if (probe === undefined || now - probe.at >= probePause || now < probe.at) {
      probe = { at: now, answer: probeOnce() };
    }
    const answered = await probe.answer;
    // a write that came meanwhile knows better
    return isDoubted ? answered.map(() => undefined) : ok(undefined);
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
