import { err, ok, type Result } from 'neverthrow';
import { type ValidationFailed, validationFailed } from '../domain/errors.js';
import type { Finding } from '../domain/issues.js';
import type { Call } from './context.js';

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

/** The refusal of a file for a deal that has so many already. */
export function tooManyFiles(max: number, { language }: Call): ValidationFailed {
  return validationFailed(
    [{ path: ['content'], code: 'too_many_files', params: { max } }],
    language,
  );
}
