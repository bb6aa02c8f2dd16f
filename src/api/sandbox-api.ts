import type { ResultAsync } from 'neverthrow';
import type { ProposalInput } from '../domain/deals/proposal-input.js';
import type {
  CommandError,
  NotFound,
  Unavailable,
  ValidationFailed,
} from '../domain/input/errors.js';
import type { Proposal } from '../domain/terms/proposal.js';
import type { DealDetails, SandboxTime } from './answers.js';
import type { CallOptions, ReadOptions } from './inputs.js';
import type { Acceptance, ProposalRemark } from './terms-api.js';
import type { TransportError } from './transport-errors.js';

/** The actors whose commands a partner of the sandbox can give. */
export type SandboxActor = 'partner' | 'freelancer' | 'operator' | 'payments';

/** The sides of a deal: each can propose other terms. */
export type ProposingActor = 'partner' | 'freelancer';

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
  /** Proposes for either side: POST /api/2.0/sandbox/deal/{partner_id}/{actor}/proposal/ */
  propose(
    partner_id: string,
    actor: ProposingActor,
    input: ProposalInput,
    options?: CallOptions,
  ): ResultAsync<Proposal, CommandError | Transport>;
  /**
   * Accepts, rejects or withdraws a proposal for either side: POST
   * /api/2.0/sandbox/deal/{partner_id}/{actor}/proposal/{proposal_id}/{command}/
   */
  decideProposal(
    partner_id: string,
    actor: ProposingActor,
    proposal_id: string,
    command: 'accept' | 'reject' | 'withdraw',
    input?: Acceptance | ProposalRemark,
    options?: CallOptions,
  ): ResultAsync<Proposal, CommandError | Transport>;
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
