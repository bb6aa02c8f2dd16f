import { err, ok, type Result } from 'neverthrow';
import type { SandboxTime } from '../api/answers.js';
import { createAdvanceParser } from '../domain/deals/sandbox.js';
import {
  type Unavailable,
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { movedBy, parseTimestamp } from '../domain/values/timestamp.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { WriteSet } from '../ports/write-set.js';
import type { Call, Context } from './context.js';
import { timers } from './due-work.js';
import { noWaits, oneEnds, takeTurn } from './take-turn.js';
import { clockKey, type TenantTime, timeOf } from './time-of.js';

type NotAdvanced = WithoutMessage<ValidationFailed | Unavailable>;

/**
 * The limits of one call for the work due then; the rest is left to the loop, or to the next call.
 */
const [mostFired, longestRun] = [1_000, 5_000];

/** How often a move is tried again after another one was committed first. */
const mostAttempts = 32;

/** Moves the time of a partner forward, and runs the commands of the clock that are due then. */
export async function advanceClock(
  context: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<SandboxTime, NotAdvanced>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const before = await timeOf(context, tenant);
    if (before.isErr()) return err(before.error);
    const { now, ahead } = before.value;
    const parsed = createAdvanceParser(Number(parseTimestamp(now)))(input);
    if (parsed.isErr()) return err(validationFailed(...parsed.error));
    const further = ahead + parsed.value.advance_seconds * 1000;
    const moved = await move(context, { tenant }, before.value, further);
    if (moved.isErr()) return err(moved.error);
    if (moved.value) return fire(context, { tenant }, further);
  }
  const cause = new Error('the clock was moved by others each time');
  return err(portProblem('store.commit', { cause }));
}

/** Stores how far the time was moved; `false` if another call moved it meanwhile. */
async function move(
  { ports }: Context,
  { tenant }: Pick<Call, 'tenant'>,
  { real, ahead: before }: TenantTime,
  ahead: number,
): Promise<Result<boolean, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const key = clockKey;
  // the store does not know its time: it always counts as a tenant with something due
  const set = { ahead, due_at: real };
  const noted = {
    answer_key: `attempt ${attempt.value}`,
    fingerprint: '',
    answer: '{}',
    ends_at: movedBy(real, 24 * 60 * 60 * 1000),
  };
  const isNew = before === 0;
  const write: WriteSet = {
    attempt: attempt.value,
    // a move whose answer was lost is recognized by its attempt: it is not made twice
    expect: isNew
      ? [{ absent: 'sandbox_clock', key }]
      : [
          { absent: 'answer', key: noted.answer_key },
          { present: 'sandbox_clock', key, where: { ahead: [before] } },
        ],
    insert: isNew
      ? [{ kind: 'sandbox_clock', row: { name: key, ...set } }]
      : [{ kind: 'answer', row: noted }],
    change: isNew ? [] : [{ kind: 'sandbox_clock', key, set }],
    events: [],
  };
  return (await ports.commit(tenant, write)).map(({ outcome }) => outcome === 'committed');
}

/**
 * Runs the commands that are due now, up to a limit. The time was moved: a failure from here on is
 * left to the loop, or to the next call.
 */
async function fire(
  asked: Context,
  { tenant }: Pick<Call, 'tenant'>,
  ahead: number,
): Promise<Result<SandboxTime, NotAdvanced>> {
  const context = { ...asked, ports: asked.unseen };
  const { ports, timer } = context;
  const waits = noWaits();
  const until = timer.now() + longestRun;
  let [fired, hasFailed] = [0, false];
  const listener = {
    done() {
      fired += 1;
    },
    failed() {},
  };
  while (timer.now() < until) {
    const most = mostFired - fired - waits.underWay.size;
    const options = { waits, until, most };
    const turn =
      most > 0
        ? await takeTurn(context, tenant, timers(context), listener, options)
        : ok('nothing');
    hasFailed = turn.isErr();
    if (turn.isErr()) break;
    if (turn.value === 'more') continue;
    if (waits.underWay.size === 0) break;
    await oneEnds(context, waits, until);
  }
  context.wakes.wake(tenant, true);
  const now = ports.now(tenant).map((real) => movedBy(real, ahead));
  if (now.isErr()) return err({ ...now.error, outcome: 'unknown' });
  const left = await ports.due(tenant, 'deal', now.value, 1);
  return ok({ now: now.value, due_left: hasFailed || left.isErr() || left.value.length > 0 });
}
