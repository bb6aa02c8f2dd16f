import { err, ok, type Result } from 'neverthrow';
import type { Finding } from '../domain/issues.js';

/** The own members of an input, each read once; nothing where there are none to read. */
export function membersOf(input: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    return typeof input === 'object' && input !== null && !Array.isArray(input)
      ? { ...input }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The stage that was named, by now at the latest. */
export function stageSaid(stage_id: unknown): Result<unknown, readonly Finding[]> {
  try {
    return ok(typeof stage_id === 'function' ? stage_id() : stage_id);
  } catch {
    return err([{ path: ['stage_id'], code: 'unreadable', params: {} }]);
  }
}
