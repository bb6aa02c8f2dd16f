import { isDecimal, isEmail, isText, toMinorUnits } from '../validation/rules.mjs';
import { createStoreByHand } from './by-hand-store.mjs';

const isPartnerId = isText(1, 40);
const isName = isText(1, 200);
const isDescription = isText(1, Number.MAX_SAFE_INTEGER);
const isCurrencyText = isText(3, 3);

/** Creating a deal without the library: the same checks, the same record, the same answer. */
export function createContender() {
  const store = createStoreByHand();
  const tenant = { environment: 'production', partner: 'acme' };
  store.addContractor(tenant, 'user@example.com');

  async function createDeal(input) {
    const { problems, terms } = readDeal(input);
    if (terms && !store.hasSubcategory(terms.sub_category_id)) {
      problems.push(problem('sub_category_id', 'unknown_subcategory', 'must be a subcategory'));
    }
    if (problems.length > 0) return { ok: false, code: 'validation_failed', errors: problems };
    const added = store.addDeal(tenant, terms);
    if (added.outcome === 'created') {
      return { ok: true, value: { id: added.id, stage_ids: added.stage_ids } };
    }
    if (added.outcome === 'exists') return { ok: false, code: 'deal_exists' };
    const missing = problem('contractor_email', 'unknown_contractor', 'must be registered');
    return { ok: false, code: 'validation_failed', errors: [missing] };
  }

  return { createDeal, idOf: (result) => (result.ok ? result.value.id : undefined) };
}

function readDeal(input) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { problems: [problem('', 'wrong_type', 'must be an object')] };
  }
  const { partner_id, contractor_email, name, description } = input;
  const { budget, currency, work_days = 30, sub_category_id } = input;
  const problems = [];
  const check = (value, holds, path, message) => {
    if (value === undefined) problems.push(problem(path, 'required', 'is required'));
    else if (typeof value !== 'string') problems.push(problem(path, 'wrong_type', 'must be text'));
    else if (!holds(value)) problems.push(problem(path, 'invalid', message));
  };
  check(partner_id, isPartnerId, 'partner_id', 'must have 1 to 40 characters');
  check(contractor_email, isEmail, 'contractor_email', 'must be an e-mail address');
  check(name, isName, 'name', 'must have 1 to 200 characters');
  check(description, isDescription, 'description', 'must have at least 1 character');
  check(budget, isDecimal, 'budget', 'must be a decimal');
  check(currency, isCurrencyText, 'currency', 'must have exactly 3 characters');
  if (!Number.isSafeInteger(work_days)) {
    problems.push(problem('work_days', 'not_an_integer', 'must be an integer'));
  }
  if (!Number.isSafeInteger(sub_category_id)) {
    problems.push(problem('sub_category_id', 'not_an_integer', 'must be an integer'));
  }
  if (problems.length > 0) return { problems };
  const terms = {
    partner_id,
    contractor_email,
    name,
    description,
    budget: toMinorUnits(budget),
    currency,
    work_days,
    sub_category_id,
  };
  return { problems, terms };
}

function problem(path, code, message) {
  return { path: [path], code, message };
}
