import type { TermsReads } from '../api/terms-api.js';
import { shownProposal } from '../domain/terms/proposal.js';
import type { Tenant } from '../domain/values/tenant.js';
import { answerQuery, type Context } from '../usecases/context.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { listProposals, listTerms, retrieveProposal } from '../usecases/list-terms.js';

/** The reads of the terms of the deals of a partner: the same for it and for the operator. */
export function termsReads(context: Context, tenant: Tenant): TermsReads<never> {
  return {
    listProposals: (partner_id, query, options) =>
      answerQuery(tenant, options, (call) =>
        listProposals(context, call, byPartnerId(context, call, partner_id), query, shownProposal),
      ),
    retrieveProposal: (partner_id, id, options) =>
      answerQuery(tenant, options, (call) =>
        retrieveProposal(context, call, byPartnerId(context, call, partner_id), id, shownProposal),
      ),
    listTerms: (partner_id, query, options) =>
      answerQuery(tenant, options, (call) =>
        listTerms(context, call, byPartnerId(context, call, partner_id), query),
      ),
  };
}
