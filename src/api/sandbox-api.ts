import type { ResultAsync } from 'neverthrow';
import type {
  CommandError,
  NotFound,
  Unavailable,
  ValidationFailed,
} from '../domain/input/errors.js';
import type { DealDetails, SandboxTime } from './answers.js';
import type { CallOptions, ReadOptions } from './inputs.js';
import type { TransportError } from './transport-errors.js';

/** The actors whose commands a partner of the sandbox can give. */
export type SandboxActor = 'partner' | 'freelancer' | 'operator' | 'payments';

/** The further calls of a partner in the sandbox, to test its own code (decision 6.6). */
export interface SandboxApi<Transport = TransportError> {
  /**
   * Gives a deal of either version any command of any actor; its state and its guards apply as
   * usual: POST /api/2.0/sandbox/deal/{partner_id}/{actor}/{command}/
   */
  command(
    partner_id: string,
    actor: SandboxActor,
    command: string,
    input?: object,
    options?: CallOptions,
  ): ResultAsync<DealDetails, CommandError | Transport>;
  /**
   * Moves the time of this partner forward, 1 s to ten years, and runs the commands of the clock
   * that are due then: POST /api/2.0/sandbox/clock/
   */
  advanceClock(
    input: ClockAdvance,
    options?: ReadOptions,
  ): ResultAsync<SandboxTime, ValidationFailed | NotFound | Unavailable | Transport>;
}

/** How far the time of a partner moves. */
export interface ClockAdvance {
  readonly advance_seconds: number;
}
