import { createHash } from 'node:crypto';
import { invalid, Refusal } from './errors.mjs';
import { contractorFields, dealFields, fileFields, readRecord } from './fields.mjs';
import { Form } from './form.mjs';
import { ulid } from './ulid.mjs';

const category = (id, en, pl, subcategories) => ({ id, names: { en, pl }, subcategories });

class Categories {
  #tree = [
    category(1, 'Software development', 'Tworzenie oprogramowania', [
      category(21, 'Web applications', 'Aplikacje webowe'),
      category(24, 'Mobile apps', 'Aplikacje mobilne'),
    ]),
    category(8, 'Writing and editing', 'Teksty i redakcja', [
      category(75, 'Copywriting', 'Copywriting'),
      category(76, 'Proofreading and editing', 'Korekta i redakcja tekstów'),
    ]),
  ];
  ids = this.#tree.flatMap(({ subcategories }) => subcategories.map(({ id }) => id));

  list({ language }, nodes = this.#tree) {
    return nodes.map(({ id, names, subcategories }) => ({
      id,
      name: names[language],
      subcategories: subcategories && this.list({ language }, subcategories),
    }));
  }
}

/** All partners of an environment share its contractors. */
class Contractors {
  #byAddress = new Map();

  async register(call) {
    const contractor = readRecord(contractorFields, await call.json());
    if (this.has(contractor.email)) throw new Refusal('contractor_exists');
    this.#byAddress.set(contractor.email.toLowerCase(), contractor);
    return { contractor_email: contractor.email };
  }

  has(email) {
    return this.#byAddress.has(email.toLowerCase());
  }
}

/** Two decimals, made from the text: 20 digits do not fit a number. */
function canonical(decimal) {
  const [whole, cents = ''] = decimal.replace(/^-?0*/, '').split('.');
  const amount = `${whole || '0'}.${cents.padEnd(2, '0')}`;
  return decimal.startsWith('-') && amount !== '0.00' ? `-${amount}` : amount;
}

/** Nothing has moved: all is outstanding. */
function billingOf(amount, currency) {
  const outstanding = amount.startsWith('-') ? '0.00' : amount;
  const sums = 'employer_fee paid refunded released held fees charged_back loss written_off';
  const none = Object.fromEntries(sums.split(' ').map((sum) => [sum, '0.00']));
  const sum = { currency, amount, total: amount, outstanding };
  return { ...sum, ...none, employer_payments: [], contractor_payments: [] };
}

class Deals {
  #byId = new Map();
  #taken = new Set();
  #lastId = 0;

  constructor({ categories, contractors }) {
    Object.assign(this, { contractors, fields: dealFields(categories.ids) });
  }

  async create(call) {
    const { budget: text, work_days = 30, ...terms } = readRecord(this.fields, await call.json());
    const key = JSON.stringify([call.partner, terms.partner_id]);
    if (this.#taken.has(key)) throw new Refusal('deal_exists');
    const unknown = { path: ['contractor_email'], code: 'unknown_contractor' };
    if (!this.contractors.has(terms.contractor_email)) throw invalid(unknown);
    const id = ++this.#lastId;
    const work = { name: terms.name, budget: canonical(text), work_days };
    const stage = { id: ++this.#lastId, ...work, status: 'pending', agreed_amount: null };
    const deal = {
      id,
      ...terms,
      ...work,
      ...{ status: 'created', agreed_amount: null },
      stages: [{ ...stage, due_on: null, due_at: null, review_ends_at: null, work_files: [] }],
      billing: billingOf(work.budget, terms.currency),
      ...{ legal: [], legal_proposals: [], expires_at: null, partner_name: null },
      created_at: new Date().toISOString(),
    };
    this.#taken.add(key);
    this.#byId.set(String(id), { partner: call.partner, deal });
    return { id, stage_ids: [stage.id] };
  }

  /** Another partner's deal is answered as one that does not exist. */
  retrieve({ partner }, id) {
    const found = this.#byId.get(id);
    if (found?.partner !== partner) throw new Refusal('not_found');
    return found.deal;
  }
}

class WorkFiles {
  constructor({ deals }) {
    this.deals = deals;
  }

  /** Nothing in version 1.0 reads a file back: of its content, only the digest is kept. */
  async add(call, dealId) {
    const body = await call.upload();
    const [stage] = this.deals.retrieve(call, dealId).stages;
    const members = body instanceof Form ? body.members() : body;
    const file = readRecord(fileFields([stage.id]), members);
    const bytes = Buffer.from(file.content, 'base64');
    const workFile = {
      id: ulid(),
      stage_id: stage.id,
      name: file.name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      content_type: file.content_type ?? 'application/octet-stream',
      uploaded_at: new Date().toISOString(),
      status: 'stored',
    };
    stage.work_files.push(workFile);
    return workFile;
  }
}

/** Production or the sandbox, which share nothing. */
export class Environment {
  categories = new Categories();
  contractors = new Contractors();
  deals = new Deals(this);
  files = new WorkFiles(this);
}
