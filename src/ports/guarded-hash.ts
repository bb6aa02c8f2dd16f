import { err, ok, type Result } from 'neverthrow';
import { type PortProblem, portProblem } from './answer.js';
import type { RunningSha256, Sha256 } from './runtime.js';

/** A SHA-256 whose failure is kept apart from a failure of the content. */
export interface GuardedHash {
  /** Throws if it fails: reading further is useless. */
  update(bytes: Uint8Array): void;
  end(): Result<string, PortProblem>;
}

/** Starts one. */
export function beginHash(sha256: Sha256): GuardedHash {
  let failure: PortProblem | undefined;
  const fail = (cause: unknown, retryable = true) => {
    failure ??= portProblem('sha256', { retryable, cause });
  };
  let hash: RunningSha256 | undefined;
  let isMade = false;
  try {
    hash = sha256();
    isMade = true;
    // an object without these methods, or that throws, is not a hash: no retry helps
    if (!hash.update) throw hashFailed;
  } catch (cause) {
    fail(cause, !isMade);
  }
  return {
    update(bytes) {
      try {
        hash?.update(bytes);
      } catch (cause) {
        fail(cause);
      }
      if (failure !== undefined) throw hashFailed;
    },
    end() {
      if (failure !== undefined) return err(failure);
      try {
        const hex: unknown = hash?.hex();
        if (typeof hex === 'string' && /^[0-9a-f]{64}$/.test(hex)) return ok(hex);
        return err(portProblem('sha256', { retryable: false, cause: new Error('not a SHA-256') }));
      } catch (cause) {
        return err(portProblem('sha256', { cause }));
      }
    },
  };
}

/** The error that an update throws. */
export const hashFailed = new Error('the SHA-256 failed');
