import type { PartnerCommands } from '../api/commands.js';
import type { CallOptions } from '../api/inputs.js';
import type { PartnerApi } from '../api/partner-api.js';
import type { DealDetails } from '../domain/life/details.js';
import { shownProposal } from '../domain/terms/proposal.js';
import type { Tenant } from '../domain/values/tenant.js';
import { type Decision, decideProposalOf, propose } from '../usecases/change-terms.js';
import { answerCommand, answerQuery, type Context } from '../usecases/context.js';
import { createDeal, createDealV2 } from '../usecases/create-deal.js';
import { testWebhook } from '../usecases/deliveries.js';
import { byPartnerId, byReference } from '../usecases/find-deal.js';
import { giveCommand } from '../usecases/give-command.js';
import { listCategories } from '../usecases/list-categories.js';
import { listDeals } from '../usecases/list-deals.js';
import { listEvents } from '../usecases/list-events.js';
import { listTokens } from '../usecases/list-tokens.js';
import { registerContractor } from '../usecases/register-contractor.js';
import {
  listWorkFiles,
  partnerView,
  retrieveDeal,
  retrieveDealDetails,
} from '../usecases/retrieve-deal.js';
import { retrievePromises } from '../usecases/retrieve-promises.js';
import { uploadFile } from '../usecases/upload-file.js';
import {
  createWebhook,
  deleteWebhook,
  retrieveWebhook,
  rotateWebhook,
} from '../usecases/webhooks.js';
import { commandMethods } from './command-methods.js';
import { dealReads } from './deal-reads.js';
import { termsReads } from './terms.js';
import { webhookMethods } from './webhooks.js';

/** The calls of a partner. */
export function createPartnerApi(context: Context, tenant: Tenant): PartnerApi<never> {
  const decisionMethod =
    (decision: Decision) =>
    (partner_id: unknown, proposal_id: unknown, input: unknown, options?: CallOptions) =>
      answerCommand(tenant, options, (call) => {
        const face = { finder: byPartnerId(context, call, partner_id), show: shownProposal };
        return decideProposalOf(context, call, decision, proposal_id, input, face);
      });
  return {
    ...dealReads(context, tenant),
    ...termsReads(context, tenant),
    propose: (partner_id, input, options) =>
      answerCommand(tenant, options, (call) => {
        const face = { finder: byPartnerId(context, call, partner_id), show: shownProposal };
        return propose(context, call, input, face);
      }),
    acceptProposal: decisionMethod('accept'),
    rejectProposal: decisionMethod('reject'),
    withdrawProposal: decisionMethod('withdraw'),
    registerContractor: (input, options) =>
      answerCommand(tenant, options, (call) => registerContractor(context, call, input)),
    createDeal: (input, options) =>
      answerCommand(tenant, options, (call) => createDeal(context, call, input)),
    createDealV2: (input, options) =>
      answerCommand(tenant, options, (call) => createDealV2(context, call, input)),
    listCategories: (options) =>
      answerQuery(tenant, options, (call) => listCategories(context, call)),
    retrieveDeal: (id, options) =>
      answerQuery(tenant, options, (call) => retrieveDeal(context, call, id)),
    uploadFile: (deal, upload, options) =>
      answerCommand(tenant, options, (call) =>
        uploadFile(context, call, byReference(context, call, deal), upload),
      ),
    retrieveDealDetails: (partner_id, options) =>
      answerQuery(tenant, options, (call) => retrieveDealDetails(context, call, partner_id)),
    listDeals: (query, options) =>
      answerQuery(tenant, options, (call) => listDeals(context, call, query)),
    listWorkFiles: (partner_id, options) =>
      answerQuery(tenant, options, (call) => listWorkFiles(byPartnerId(context, call, partner_id))),
    listEvents: (query, options) =>
      answerQuery(tenant, options, (call) => listEvents(context, call, query)),
    retrievePromises: (options) =>
      answerQuery(tenant, options, async (call) => retrievePromises(context, call)),
    listTokens: (options) => answerQuery(tenant, options, (call) => listTokens(context, call)),
    createWebhook: (input, options) =>
      answerQuery(tenant, options, (call) => createWebhook(context, call, input)),
    ...webhookMethods(context, tenant, 'partner'),
    retrieveWebhook: (id, options) =>
      answerQuery(tenant, options, (call) => retrieveWebhook(context, call, id)),
    deleteWebhook: (id, options) =>
      answerQuery(tenant, options, (call) => deleteWebhook(context, call, id)),
    rotateWebhook: (id, options) =>
      answerQuery(tenant, options, (call) => rotateWebhook(context, call, id)),
    testWebhook: (id, options) =>
      answerQuery(tenant, options, (call) => testWebhook(context, call, id)),
    ...commandMethods<'partner', PartnerCommands<DealDetails, never>>(
      context.lifecycle,
      'partner',
      (name) => (partner_id: unknown, input: unknown, options?: CallOptions) =>
        answerCommand(tenant, options, (call) => {
          const finder = byPartnerId(context, call, partner_id);
          return giveCommand(context, call, {
            finder,
            name,
            input,
            show: partnerView(context, call),
          });
        }),
    ),
  };
}
