import type { DealwrightClient } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import type { BadLine } from './import/lines.js';
import { printable } from './output.js';
import { failedExit, refusedExit, unauthorizedExit } from './problem.js';
import { exitOfSignal } from './shutdown.js';

type ErrorOf<Call> = Call extends (...given: never) => ResultAsync<unknown, infer E> ? E : never;

/** Every error of any call. */
export type Failure = ErrorOf<DealwrightClient[keyof DealwrightClient]>;

const exits: Readonly<Record<Failure['code'], number>> = {
  validation_failed: refusedExit,
  contractor_exists: refusedExit,
  deal_exists: refusedExit,
  illegal_transition: refusedExit,
  precondition_failed: refusedExit,
  idempotency_key_reused: refusedExit,
  invalid_idempotency_key: refusedExit,
  invalid_cursor: refusedExit,
  not_found: refusedExit,
  payload_too_large: refusedExit,
  unauthorized: unauthorizedExit,
  unavailable: failedExit,
  rate_limited: failedExit,
  unexpected_response: failedExit,
  aborted: exitOfSignal('SIGINT'),
};

/** A failure, or the problem of a line before it is sent. */
export type Refusal = Failure | BadLine;

export function exitOf({ code }: Failure): number {
  return exits[code];
}

const shown = [
  ...['code', 'message', 'errors', 'status', 'problem', 'outcome', 'retryable', 'retryAfter'],
  ...[
    'afterRetry',
    'max_bytes',
    'resource',
    'reason',
    'deal_status',
    'freelancer_status',
    'legal',
    'proposal_status',
    'cause',
    'request_id',
  ],
];

/** A failure as data: its code, its message, its other members, never the input. */
export function failureData(failure: Refusal): object {
  const given: Readonly<Record<string, unknown>> = { ...failure };
  // a text as cause is the client's, such as a code of the network; another cause may contain
  // anything
  const isShown = (name: string) => name !== 'cause' || typeof given[name] === 'string';
  return Object.fromEntries(shown.filter(isShown).map((name) => [name, given[name]]));
}

/** Says whether no answer came: then the address of the service matters. */
export function isSilence(failure: Refusal): boolean {
  return (
    failure.code === 'unavailable' && failure.retryable && !/^status /.test(String(failure.cause))
  );
}

/** A failure for a person: one line, and one more for each member that it refers to. */
export function failureLines(failure: Refusal): readonly string[] {
  const details: string[] = [failure.code];
  if (failure.code === 'unexpected_response') {
    details.push(`status ${failure.status}`);
    if (failure.problem !== undefined) details.push(failure.problem);
  }
  if (failure.code === 'unavailable') {
    if (typeof failure.cause === 'string') details.push(failure.cause);
    const isUnknown = failure.outcome === 'unknown';
    details.push(isUnknown ? 'it may have had its effect' : 'it had no effect');
    if (!failure.retryable) details.push('to try again does not help');
  }
  if ('max_bytes' in failure && failure.max_bytes !== undefined) {
    details.push(`at most ${failure.max_bytes} bytes`);
  }
  if ('retryAfter' in failure && failure.retryAfter !== undefined) {
    details.push(`try again in ${failure.retryAfter} s`);
  }
  if ('afterRetry' in failure) {
    details.push('an earlier attempt of this call was not answered and may have had its effect');
  }
  // the message of a refusal is complete
  if ('request_id' in failure && exitOf(failure) !== refusedExit) {
    details.push(`request ${failure.request_id}`);
  }
  const more = furtherLines(failure).map((line) => `  ${line}`);
  return [`${sentenceOf(failure)} (${details.join(', ')})`, ...more].map(printable);
}

/** A message without the members that it refers to: they are printed beside it. */
function sentenceOf({ message }: Refusal): string {
  return message.replace(/; see [^;]*\.$/, '.').replace(/\. See outcome and retryable; /, '; ');
}

/** The members that a message refers to, if the answer has them. */
function furtherLines(failure: Refusal): readonly string[] {
  if (failure.code === 'illegal_transition') {
    const { deal_status, freelancer_status, legal, proposal_status } = failure;
    const states = { deal_status, freelancer_status, ...(proposal_status && { proposal_status }) };
    return [
      `legal: ${legal.join(', ') || 'nothing'}`,
      Object.entries(states)
        .map((each) => each.join(': '))
        .join(', '),
    ];
  }
  if (failure.code === 'precondition_failed') return [`reason: ${failure.reason}`];
  const issues = failure.code === 'validation_failed' ? failure.errors : [];
  return issues.map(
    ({ path, code, message }) => `${path.join('.') || 'body'}: ${message} (${code})`,
  );
}
