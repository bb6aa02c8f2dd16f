import { err, type Result } from 'neverthrow';
import type { FreelancerApi } from '../api/freelancer-api.js';
import type { CallOptions } from '../api/inputs.js';
import { offeredProposal } from '../domain/terms/proposal.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/answer.js';
import { type Decision, decideProposalOf, propose } from '../usecases/change-terms.js';
import {
  answerCommand,
  answerQuery,
  type Call,
  type Context,
  type Refusal,
} from '../usecases/context.js';
import { downloadFile } from '../usecases/download-file.js';
import { byPaymentToken, type Finder } from '../usecases/find-deal.js';
import { freelancerEvent } from '../usecases/freelancer-events.js';
import { giveCommand } from '../usecases/give-command.js';
import { listDealEvents } from '../usecases/list-events.js';
import { listProposals, listTerms, retrieveProposal } from '../usecases/list-terms.js';
import { freelancerView, listWorkFiles, viewDeal } from '../usecases/retrieve-deal.js';
import { retrievePromises } from '../usecases/retrieve-promises.js';
import { uploadFile } from '../usecases/upload-file.js';
import { commandMethods } from './command-methods.js';

type Offered = Pick<FreelancerApi<never>, 'accept' | 'decline' | 'deliver' | 'dispute'>;
type UseCase<T, R extends Refusal> = (call: Call, finder: Finder) => Promise<Result<T, R>>;

/**
 * The calls of the holder of a payment token. The token names the tenant to search, and grants
 * nothing by that: without its deal there, the call is `unauthorized`.
 */
export function createFreelancerApi(
  context: Context,
  environment: Environment | 'by-token',
  payment_token: string,
): FreelancerApi<never> {
  const withDeal =
    <T, R extends Refusal>(useCase: UseCase<T, R>) =>
    async (call: Call): Promise<Result<T, R | PortProblem | { readonly code: 'unauthorized' }>> => {
      const found = context.ports.tenantOfToken(payment_token);
      if (found.isErr()) return err(found.error);
      const tenant = found.value;
      const isHere = environment === 'by-token' || tenant?.environment === environment;
      if (tenant === undefined || !isHere) return err({ code: 'unauthorized' } as const);
      const own = { ...call, tenant };
      return useCase(own, byPaymentToken(context, own, payment_token));
    };
  // the token names the tenant
  const noTenant: Tenant = { environment: 'sandbox', partner: '-' };
  const ask = <T, R extends Refusal>(options: CallOptions | undefined, useCase: UseCase<T, R>) =>
    answerQuery(noTenant, options, withDeal(useCase));
  const give = <T, R extends Refusal>(options: CallOptions | undefined, useCase: UseCase<T, R>) =>
    answerCommand(noTenant, options, withDeal(useCase), 'freelancer');
  const decisionMethod =
    (decision: Decision) => (proposal_id: unknown, input: unknown, options?: CallOptions) =>
      give(options, (call, finder) =>
        decideProposalOf(context, call, decision, proposal_id, input, {
          finder,
          show: offeredProposal,
        }),
      );
  return {
    view: (options) =>
      ask(options, (call, finder) => viewDeal(finder, freelancerView(context, call))),
    propose: (input, options) =>
      give(options, (call, finder) =>
        propose(context, call, input, { finder, show: offeredProposal }),
      ),
    acceptProposal: decisionMethod('accept'),
    rejectProposal: decisionMethod('reject'),
    withdrawProposal: decisionMethod('withdraw'),
    listProposals: (query, options) =>
      ask(options, (call, finder) => listProposals(context, call, finder, query, offeredProposal)),
    retrieveProposal: (id, options) =>
      ask(options, (call, finder) => retrieveProposal(context, call, finder, id, offeredProposal)),
    listTerms: (query, options) =>
      ask(options, (call, finder) => listTerms(context, call, finder, query)),
    listEvents: (query, options) =>
      ask(options, (call, finder) => listDealEvents(context, call, finder, query, freelancerEvent)),
    retrievePromises: (options) =>
      ask(options, async (call, { find }) =>
        // only a token that a deal holds counts
        (await find([])).andThen(() => retrievePromises(context, call)),
      ),
    uploadFile: (upload, options) =>
      give(options, (call, finder) => uploadFile(context, call, finder, upload)),
    listFiles: (options) => ask(options, (_call, finder) => listWorkFiles(finder)),
    downloadFile: (file_id, options) =>
      ask(options, (call, finder) => downloadFile(context, call, finder, file_id)),
    ...commandMethods<'freelancer', Offered>(
      context.lifecycle,
      'freelancer',
      (name) => (input: unknown, options?: CallOptions) =>
        give(options, (call, finder) =>
          giveCommand(context, call, {
            ...{ finder, name, input },
            show: freelancerView(context, call),
          }),
        ),
    ),
  };
}
