import { size } from './format.js';
import { createWords, wordOf } from './language.js';
import { en } from './words-en.js';
import { pl } from './words-pl.js';

export const words = createWords(en, pl);

/** A refusal in words: of a whole form, and of its fields by their paths. */
export interface Failure {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The deal is not as it was shown: it has to be read again before anything else. */
  readonly isMoved: boolean;
  /** There is no such thing, or it is not offered. */
  readonly isMissing: boolean;
  /** The token is not valid, or not any more. */
  readonly isUnknown: boolean;
}

export interface CallError {
  readonly code: string;
  readonly reason?: string;
  readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[];
  readonly max_bytes?: number;
  readonly cause?: unknown;
}

export function failureOf(error: CallError): Failure {
  const { code, reason, errors = [] } = error;
  return {
    // read again in another language, it is in that one
    get message() {
      return messageOf(error);
    },
    fields: Object.fromEntries(errors.map(({ path, message }) => [path.join('.'), message])),
    isMoved: code === 'illegal_transition' || reason === 'terms_changed',
    isMissing: code === 'not_found',
    isUnknown: code === 'unauthorized',
  };
}

function messageOf({ code, reason = '', max_bytes, cause }: CallError): string {
  const { failures, reasons } = words();
  switch (code) {
    case 'validation_failed':
      return failures.fields;
    case 'illegal_transition':
      return failures.moved;
    case 'precondition_failed':
      return wordOf(reasons, reason, failures.other);
    case 'payload_too_large':
      // the service would say how much it takes
      return max_bytes === undefined
        ? failures.tooLargeForProxy
        : failures.tooLarge(size(max_bytes));
    case 'rate_limited':
      return failures.slow;
    case 'not_found':
      return failures.missing;
    case 'aborted':
      return failures.aborted;
    case 'unavailable':
      // the client names the status, if there was an answer
      return /^status/.test(String(cause)) ? failures.unavailable : failures.offline;
    default:
      return failures.other;
  }
}
