import type { PortFailure } from './answer.js';

/** A failure, and the port that it came from. */
export interface PortProblem extends PortFailure {
  readonly port: string;
  /** The failure, for the operator alone, if the port itself did not report one. */
  readonly fault?: string | undefined;
}

/** A failure in words for the operator: the port, its method and how it failed. */
export function faultOf({ port, fault = 'failed' }: Pick<PortProblem, 'port' | 'fault'>): string {
  return `${port} ${fault}`;
}

/** The failure of a port: by default nothing has happened and a retry makes sense. */
export function portProblem(
  port: string,
  failure: Partial<Omit<PortProblem, 'code' | 'port'>>,
): PortProblem {
  return { outcome: 'none', retryable: true, ...failure, code: 'unavailable', port };
}
