import type { PartnerApi } from '../api/partner-api.js';
import { readEvent } from '../domain/events/events.js';
import type { Tenant } from '../domain/values/tenant.js';
import { answerQuery, type Context } from '../usecases/context.js';
import { downloadFile } from '../usecases/download-file.js';
import { byPartnerId } from '../usecases/find-deal.js';
import { listDealEvents } from '../usecases/list-events.js';

/** The reads of the deals of a partner that are the same for it and for the operator. */
export function dealReads(
  context: Context,
  tenant: Tenant,
): Pick<PartnerApi<never>, 'downloadWorkFile' | 'listDealEvents'> {
  return {
    downloadWorkFile: (partner_id, file_id, options) =>
      answerQuery(tenant, options, (call) =>
        downloadFile(context, call, byPartnerId(context, call, partner_id), file_id),
      ),
    listDealEvents: (partner_id, query, options) =>
      answerQuery(tenant, options, (call) => {
        const finder = byPartnerId(context, call, partner_id);
        return listDealEvents(context, call, finder, query, (event) => [readEvent(tenant, event)]);
      }),
  };
}
