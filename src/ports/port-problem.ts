import type { PortFailure } from './answer.js';

/** A failure, and the port that it came from. */
export interface PortProblem extends PortFailure {
  readonly port: string;
}

/** What a port could not do: nothing has happened and a retry makes sense, unless said otherwise. */
export function portProblem(
  port: string,
  failure: Partial<Omit<PortFailure, 'code'>>,
): PortProblem {
  return { outcome: 'none', retryable: true, ...failure, code: 'unavailable', port };
}
