import { createIds, createStoreByHand } from '../../create/by-hand-store.mjs';
import { fields } from '../../validation/rules.mjs';
import { schemaOf } from '../../validation/zod.mjs';

const sane = /^[\w-]{1,64}$/;
const schema = schemaOf(fields.deal);

/**
 * The work of a create that a framework does not do, written once for all contenders:
 * authentication, an id for the request, Zod, the category, the contractor, the deal's own id,
 * stage, event and record.
 */
export function createWork({ token, tenant, limit }) {
  const store = createStoreByHand({ limit });
  const nextId = createIds();
  const partners = new Map([[token, tenant]]);
  store.addContractor(tenant, 'user@example.com');

  return {
    requestId: (given) => (given !== undefined && sane.test(given) ? given : nextId()),
    authenticate(authorization) {
      const [scheme, given] = (authorization ?? '').split(' ');
      return scheme.toLowerCase() === 'token' ? partners.get(given) : undefined;
    },
    createDeal(caller, body) {
      const { success, data, error } = schema.safeParse(body);
      if (!success) return refusal(400, 'validation_failed', error.issues);
      if (!store.hasSubcategory(data.sub_category_id)) {
        return refusal(400, 'validation_failed', [{ path: ['sub_category_id'] }]);
      }
      const added = store.addDeal(caller, data);
      if (added.outcome === 'created') {
        const { id, stage_ids } = added;
        return { status: 201, body: { success: true, data: { id, stage_ids } } };
      }
      if (added.outcome === 'exists') return refusal(409, 'deal_exists');
      return refusal(400, 'validation_failed', [{ path: ['contractor_email'] }]);
    },
    unauthorized: refusal(401, 'unauthorized'),
  };
}

function refusal(status, code, errors) {
  return { status, body: { success: false, status, code, errors } };
}
