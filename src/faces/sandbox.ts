import { err, type Result } from 'neverthrow';
import type { CallOptions } from '../api/inputs.js';
import type { ProposingActor, SandboxActor, SandboxApi } from '../api/sandbox-api.js';
import { type NotFound, notFound, type WithoutMessage } from '../domain/input/errors.js';
import { shownProposal } from '../domain/terms/proposal.js';
import type { Tenant } from '../domain/values/tenant.js';
import { advanceClock } from '../usecases/advance-clock.js';
import { decideProposalOf, propose } from '../usecases/change-terms.js';
import {
  answerCommand,
  answerQuery,
  type Call,
  type Context,
  type Refusal,
} from '../usecases/context.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { giveCommand } from '../usecases/give-command.js';
import { partnerView } from '../usecases/retrieve-deal.js';

const actors: readonly SandboxActor[] = ['partner', 'freelancer', 'operator', 'payments'];

/** The further calls of a partner in the sandbox. */
export function createSandboxApi(context: Context, tenant: Tenant): SandboxApi<never> {
  const face = (call: Call, partner_id: unknown) => ({
    finder: byPartnerId(context, call, partner_id),
    show: shownProposal,
    face: 'sandbox' as const,
  });
  /** A command about a proposal, which only the two sides of a deal can give. */
  const side = <T, R extends Refusal>(
    actor: ProposingActor,
    options: CallOptions | undefined,
    give: (call: Call) => Promise<Result<T, R>>,
  ) =>
    answerCommand(
      tenant,
      options,
      async (call: Call): Promise<Result<T, R | WithoutMessage<NotFound>>> =>
        actor === 'partner' || actor === 'freelancer' ? give(call) : err(notFound('operation')),
      actor,
    );
  return {
    command: (partner_id, actor, name, input, options) =>
      answerCommand(
        tenant,
        options,
        async (call) => {
          // moving the clock gives the clock's commands
          if (!actors.includes(actor)) return err(notFound('operation'));
          const finder = byPartnerId(context, call, partner_id);
          return giveCommand(context, call, {
            finder,
            name,
            input,
            show: partnerView(context, call),
            face: 'sandbox',
          });
        },
        actor,
      ),
    propose: (partner_id, actor, input, options) =>
      side(actor, options, (call) => propose(context, call, input, face(call, partner_id))),
    decideProposal: (partner_id, actor, proposal_id, decision, input, options) =>
      side(actor, options, (call) =>
        decideProposalOf(context, call, decision, proposal_id, input, face(call, partner_id)),
      ),
    advanceClock: (input, options) =>
      answerQuery(tenant, options, (call) => advanceClock(context, call, input)),
  };
}
