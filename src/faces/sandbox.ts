import { err } from 'neverthrow';
import type { SandboxActor, SandboxApi } from '../api/sandbox-api.js';
import { notFound } from '../domain/input/errors.js';
import { dealDetails } from '../domain/life/details.js';
import type { Tenant } from '../domain/values/tenant.js';
import { advanceClock } from '../usecases/advance-clock.js';
import { answerCommand, answerQuery, type Context } from '../usecases/context.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { giveCommand } from '../usecases/give-command.js';

const actors: readonly SandboxActor[] = ['partner', 'freelancer', 'operator', 'payments'];

/** The further calls of a partner in the sandbox. */
export function createSandboxApi(context: Context, tenant: Tenant): SandboxApi<never> {
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
            show: dealDetails,
            face: 'sandbox',
          });
        },
        actor,
      ),
    advanceClock: (input, options) =>
      answerQuery(tenant, options, (call) => advanceClock(context, call, input)),
  };
}
