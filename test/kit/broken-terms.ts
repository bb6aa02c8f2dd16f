import { errAsync } from 'neverthrow';
import type { Mistake } from './broken-events.js';

interface Found {
  readonly make: Mistake;
  readonly foundBy: string;
}

/** Mistakes in proposals, terms and bonuses, and the cases that find them. */
export const termsMistakes: Readonly<Record<string, Found>> = {
  'shows no open proposal': {
    make: (api) => ({
      ...api,
      retrieveDealDetails: (id, options) =>
        api.retrieveDealDetails(id, options).map((deal) => ({ ...deal, proposal: null })),
    }),
    foundBy: '9.1/partner/proposal',
  },
  'forgets what a proposal supersedes': {
    make: (api) => ({
      ...api,
      propose: (id, input, options) =>
        api.propose(id, input, options).map((made) => ({ ...made, supersedes: null })),
    }),
    foundBy: '9.1/partner/supersedes',
  },
  'withdraws what is rejected': {
    make: (api) => ({
      ...api,
      rejectProposal: (id, proposal, remark, options) =>
        api.withdrawProposal(id, proposal, remark, options),
    }),
    foundBy: '9.2/partner/both-sides',
  },
  'does not say what became of a proposal': {
    make: (api) => ({
      ...api,
      withdrawProposal: (id, proposal, remark, options) =>
        api.withdrawProposal(id, proposal, remark, options).mapErr((error) => {
          if (error.code !== 'illegal_transition') return error;
          const { proposal_status: _, ...others } = error;
          return Object.freeze(others);
        }),
    }),
    foundBy: '9.2/partner/closed',
  },
  'needs no consent': {
    make: (api) => ({
      ...api,
      acceptProposal: (id, proposal, acceptance, options) =>
        api
          .acceptProposal(id, proposal, acceptance, options)
          .orElse((error) =>
            error.code === 'precondition_failed' && error.reason === 'consent_needed'
              ? api.retrieveProposal(id, proposal)
              : errAsync(error),
          ),
    }),
    foundBy: '9.2/partner/consent-needed',
  },
  'leaves an amendment of an offer open': {
    make: (api) => ({
      ...api,
      propose: (id, input, options) =>
        api.propose(id, input, options).map((made) => ({ ...made, status: 'open' as const })),
    }),
    foundBy: '9.3/partner/at-once (1.0)',
  },
  'takes proposals after the end': {
    make: (api) => ({
      ...api,
      propose: (id, input, options) =>
        api.propose(id, input, options).mapErr((error) => {
          if (error.code !== 'illegal_transition') return error;
          const { message } = error;
          return Object.freeze({ code: 'precondition_failed', reason: 'stage_closed', message });
        }),
    }),
    foundBy: '9.3/partner/illegal (2.0)',
  },
  'has one reason for everything': {
    make: (api) => ({
      ...api,
      propose: (id, input, options) =>
        api
          .propose(id, input, options)
          .mapErr((error) =>
            error.code === 'precondition_failed'
              ? Object.freeze({ ...error, reason: 'nothing_changed' as const })
              : error,
          ),
    }),
    foundBy: '9.4/partner/reasons',
  },
  'accepts without looking at the terms': {
    make: (api) => ({
      ...api,
      acceptProposal: (id, proposal, { message }, options) =>
        api
          .retrieveProposal(id, proposal)
          .andThen(({ terms_sha256 }) =>
            api.acceptProposal(
              id,
              proposal,
              { terms_sha256, ...(message !== undefined && { message }) },
              options,
            ),
          ),
    }),
    foundBy: '9.5/partner/exact-terms',
  },
  'makes a proposal each time it is sent': {
    make: (api) => ({
      ...api,
      propose: (id, input, { idempotencyKey: _, ...options } = {}) =>
        api.propose(id, input, options),
    }),
    foundBy: '2.7/partner/proposal-keys',
  },
  'lists the newest terms first': {
    make: (api) => ({
      ...api,
      listTerms: (id, query, options) =>
        api
          .listTerms(id, query, options)
          .map((page) => ({ ...page, results: [...page.results].reverse() })),
    }),
    foundBy: '9.6/partner/versions',
  },
  'adds a bonus each time it is sent': {
    make: (api) => ({
      ...api,
      addBonus: (id, input, { idempotencyKey: _, ...options } = {}) =>
        api.addBonus(id, input, options),
    }),
    foundBy: '9.9/partner/bonus-key',
  },
  'answers a bonus with the deal before it': {
    make: (api) => ({
      ...api,
      addBonus: (id, input, options) =>
        api
          .retrieveDealDetails(id)
          .andThen((before) => api.addBonus(id, input, options).map(() => before)),
    }),
    foundBy: '9.9/partner/bonus',
  },
  'lists the oldest proposals first': {
    make: (api) => ({
      ...api,
      listProposals: (id, query, options) =>
        api
          .listProposals(id, query, options)
          .map((page) => ({ ...page, results: [...page.results].reverse() })),
    }),
    foundBy: '9.11/partner/pages',
  },
  'does not say that it is the proposal which is missing': {
    make: (api) => ({
      ...api,
      rejectProposal: (id, proposal, remark, options) =>
        api
          .rejectProposal(id, proposal, remark, options)
          .mapErr((error) =>
            error.code === 'not_found'
              ? Object.freeze({ ...error, resource: 'deal' as const })
              : error,
          ),
    }),
    foundBy: '9.11/partner/no-proposal (2.0)',
  },
  'shows no due dates': {
    make: (api) => ({
      ...api,
      retrieveDealDetails: (id, options) =>
        api.retrieveDealDetails(id, options).map((deal) => ({
          ...deal,
          stages: deal.stages.map((stage) => ({ ...stage, due_on: null, due_at: null })),
        })),
    }),
    foundBy: '9.13/partner/due-on',
  },
  'tells that another has a deal of this name': {
    make: (api) => ({
      ...api,
      listTerms: (id, query, options) =>
        api
          .listTerms(id, query, options)
          .mapErr((error) =>
            error.code === 'not_found'
              ? Object.freeze({ ...error, resource: 'partner' as const })
              : error,
          ),
    }),
    foundBy: '2.5/partner/terms-of-others (another partner)',
  },
};
