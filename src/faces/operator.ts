import { err } from 'neverthrow';
import type { OperatorView } from '../api/answers.js';
import type { OperatorCommands } from '../api/commands.js';
import type { CallOptions } from '../api/inputs.js';
import type { OperatorApi } from '../api/operator-api.js';
import { validationFailed } from '../domain/input/errors.js';
import { createPartnerParser } from '../domain/input/partner-filter.js';
import { type Environment, knownTenant } from '../domain/values/tenant.js';
import { runDue } from '../due/run-due.js';
import { answerCommand, answerQuery, type Context } from '../usecases/context.js';
import { effects, timers } from '../usecases/due-work.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { giveCommand } from '../usecases/give-command.js';
import { listAllDeals } from '../usecases/list-all-deals.js';
import { listEvents } from '../usecases/list-events.js';
import { listPartners } from '../usecases/list-partners.js';
import { listTokens } from '../usecases/list-tokens.js';
import { operatorView, retrieveOperatorDeal } from '../usecases/retrieve-deal.js';
import { retrievePromises } from '../usecases/retrieve-promises.js';
import { searchDeals } from '../usecases/search-deals.js';
import { listFailing, summarize } from '../usecases/summarize.js';
import {
  dismissReport,
  keepUnmatched,
  listUnmatchedReports,
} from '../usecases/unmatched-reports.js';
import { commandMethods } from './command-methods.js';
import { dealReads } from './deal-reads.js';
import { termsReads } from './terms.js';
import { webhookMethods } from './webhooks.js';

const parsePartner = /* @__PURE__ */ createPartnerParser();

/** The calls of the operator in an environment. */
export function createOperatorApi(context: Context, environment: Environment): OperatorApi<never> {
  const unseen = { ...context, ports: context.unseen };
  const noPartner = knownTenant({ environment, partner: '-' });
  return {
    partner(partner) {
      const tenant = knownTenant({ environment, partner });
      return {
        ...dealReads(context, tenant),
        ...termsReads(context, tenant),
        ...webhookMethods(context, tenant, 'operator'),
        dismissReport: (id, options) =>
          answerQuery(tenant, options, (call) => dismissReport(context, call, id)),
        listTokens: (options) => answerQuery(tenant, options, (call) => listTokens(context, call)),
        retrieveDeal: (partner_id, options) =>
          answerQuery(tenant, options, (call) => retrieveOperatorDeal(context, call, partner_id)),
        ...commandMethods<'operator', OperatorCommands<OperatorView, never>>(
          context.lifecycle,
          'operator',
          (name) => (partner_id: unknown, input: unknown, options?: CallOptions) =>
            answerCommand(
              tenant,
              options,
              (call) => {
                const finder = byPartnerId(context, call, partner_id);
                const show = operatorView(context, call);
                return giveCommand(context, call, {
                  ...{ finder, name, input, show },
                  refused: (command, refusal) =>
                    keepUnmatched(context, call, partner_id, command, refusal),
                });
              },
              'operator',
            ),
        ),
      };
    },
    listDeals: (query, options) =>
      answerQuery(noPartner, options, (call) => listAllDeals(context, call, query)),
    searchDeals: (query, options) =>
      answerQuery(noPartner, options, (call) => searchDeals(context, call, query)),
    summarize: (options) => answerQuery(noPartner, options, (call) => summarize(context, call)),
    listFailing: (query, options) =>
      answerQuery(noPartner, options, (call) => listFailing(context, call, query)),
    listUnmatchedReports: (query, options) =>
      answerQuery(noPartner, options, (call) => listUnmatchedReports(context, call, query)),
    listPartners: (query, options) =>
      answerQuery(noPartner, options, (call) => listPartners(context, call, query)),
    listEvents: (query, options) =>
      answerQuery(noPartner, options, async (call) => {
        const named = parsePartner(query);
        if (named.isOk()) {
          const { partner } = named.value;
          return listEvents(context, { ...call, tenant: { environment, partner } }, query);
        }
        // its other errors are reported too
        const asked = context.parseEventQuery(query ?? {});
        return err(validationFailed(...named.error, ...(asked.isErr() ? asked.error : [])));
      }),
    retrievePromises: (options) =>
      answerQuery(noPartner, options, async (call) => retrievePromises(context, call)),
    runTimers: () =>
      answerQuery(noPartner, undefined, () => runDue(unseen, environment, timers(unseen))),
    runEffects: () =>
      answerQuery(noPartner, undefined, () => runDue(unseen, environment, effects(unseen))),
  };
}
