import { err, type Result } from 'neverthrow';
import type { SandboxTime } from '../api/answers.js';
import {
  type NotFound,
  type Unavailable,
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../domain/errors.js';
import { createAdvanceParser } from '../domain/sandbox.js';
import { parseTimestamp } from '../domain/timestamp.js';
import type { Call, Context } from './context.js';
import { beginReport, runForTenant } from './run-due.js';
import { timers } from './run-timers.js';

type NotAdvanced = WithoutMessage<ValidationFailed | NotFound | Unavailable>;

/** Moves the time of a partner forward, and gives the commands of the clock that are due then. */
export async function advanceClock(
  context: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<SandboxTime, NotAdvanced>> {
  const { now, moveClock } = context.ports;
  if (moveClock === undefined) return err({ code: 'not_found' });
  const before = now(tenant);
  if (before.isErr()) return err(before.error);
  const parsed = createAdvanceParser(parseTimestamp(before.value) ?? 0)(input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const moved = moveClock(tenant, parsed.value.advance_seconds * 1000);
  if (moved.isErr()) return err(moved.error);
  const problem = await runForTenant(context, tenant, timers(context), beginReport());
  return problem === undefined ? now(tenant).map((text) => ({ now: text })) : err(problem);
}
