import { defaultCategoryTree } from 'dealwright/categories';
import { monotonicFactory } from 'ulid';

/**
 * This one operation without the library. It checks the category, the contractor and the partner's
 * own id, and stores the deal with its stage and its event. It builds the deal only from texts and
 * numbers, so that no caller has a reference.
 */
export function createStoreByHand({ limit = Number.POSITIVE_INFINITY } = {}) {
  const subcategories = new Map(
    defaultCategoryTree.flatMap((main) => main.subcategories.map((each) => [each.id, each])),
  );
  const contractors = new Set();
  let tenants = new Map();
  let kept = 0;
  let lastDealId = 0;
  let lastStageId = 0;
  const nextId = createIds();
  const formatTime = createTimeFormat();

  function tablesOf({ environment, partner }) {
    const key = `${environment}:${partner}`;
    let tables = tenants.get(key);
    if (tables === undefined) {
      tables = { deals: new Map(), dealsById: new Map(), events: [] };
      tenants.set(key, tables);
    }
    return tables;
  }

  return {
    hasSubcategory: (id) => subcategories.has(id),
    addContractor: ({ environment }, email) => {
      contractors.add(`${environment}:${email.toLowerCase()}`);
    },
    addDeal(tenant, terms) {
      const tables = tablesOf(tenant);
      if (tables.deals.has(terms.partner_id)) return { outcome: 'exists' };
      if (!contractors.has(`${tenant.environment}:${terms.contractor_email.toLowerCase()}`)) {
        return { outcome: 'contractor_missing' };
      }
      lastDealId += 1;
      lastStageId += 1;
      const { partner_id, contractor_email, name, description } = terms;
      const { budget, currency, work_days, sub_category_id } = terms;
      const at = formatTime(Date.now());
      const stage = { id: lastStageId, name, budget, work_days, status: 'pending' };
      const deal = {
        id: lastDealId,
        partner_id,
        contractor_email,
        name,
        description,
        budget,
        currency,
        work_days,
        sub_category_id,
        status: 'created',
        freelancer_status: 'new',
        created_at: at,
        stages: [stage],
      };
      const stored = { value: deal, version: 1 };
      tables.deals.set(partner_id, stored);
      tables.dealsById.set(deal.id, stored);
      tables.events.push({
        id: nextId(),
        type: 'deal.created',
        environment: tenant.environment,
        partner: tenant.partner,
        subject: `deal:${partner_id}`,
        sequence: 1,
        at,
        data: {
          api_version: '1.0',
          partner_id,
          contractor_email,
          name,
          budget: formatMoney(budget),
          currency,
          work_days,
          sub_category_id,
        },
      });
      kept += 1;
      if (kept === limit) {
        kept = 0;
        tenants = new Map();
      }
      return { outcome: 'created', id: deal.id, stage_ids: [stage.id] };
    },
  };
}

function formatMoney(amount) {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Monotonic ULIDs whose random bytes are drawn a kilobyte at a time. */
export function createIds() {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  const next = monotonicFactory(() => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    used += 1;
    return pool[used - 1] / 256;
  });
  return () => next();
}

function createTimeFormat() {
  let last;
  let text;
  return (milliseconds) => {
    if (milliseconds !== last) {
      text = new Date(milliseconds).toISOString();
      last = milliseconds;
    }
    return text;
  };
}
