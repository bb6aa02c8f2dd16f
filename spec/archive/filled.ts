import type { Contractor } from '../../src/domain/contractor.js';
import { fromMinorUnits } from '../../src/domain/money.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { DealStretch } from '../../src/ports/deal-index.js';
import { changeOf, changeOfV2 } from '../store/changes.js';
import { createDeal } from '../store/deals.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  contractorOf,
  eventPage,
  fileAddition,
  globex,
  knownKey,
  registration,
  type StoreSubject,
  workFileOf,
} from '../store/subject.js';

/** The tenants of a store that was filled, one of them with a name that is hard to keep. */
export const tenants: readonly Tenant[] = [
  acme,
  globex,
  acmeLive,
  { environment: 'sandbox', partner: 'acme:sandbox:😀 "\\\n' },
];

const everything: Contractor = {
  ...contractorOf('user@example.com'),
  email: 'User@Example.com',
  house_no: '50',
  apartment_no: '5',
  bank_account_bic: 'SANTATWWXXX',
  pesel: '44051401359',
  nip: '5260250995',
  tax_id: '22-345/6781',
};

const key = (name: string) => ({ key: name, fingerprint: `fingerprint of ${name}` });

/** What a store that was filled is asked. */
export interface Filled {
  /**
   * All that was written, sent again, to a store that has it: by its key, or by the same attempt. No
   * answer changes anything.
   */
  again(store: StoreSubject): Promise<readonly unknown[]>;
  /** Everything that its ports have of it. */
  read(store: StoreSubject): Promise<readonly unknown[]>;
}

/** Writes everything that there is into an empty store, some of it in several ways. */
export async function fill(store: StoreSubject): Promise<Filled> {
  const writes: ((to: StoreSubject) => Promise<unknown>)[] = [];
  const reads: ((of: StoreSubject) => Promise<unknown>)[] = [];
  const write = async (send: (to: StoreSubject) => Promise<unknown>) => {
    writes.push(send);
    await send(store);
  };
  for (const tenant of tenants) {
    const own = { register: tenant.partner, email_key: knownKey.email_key };
    const keys = [knownKey, own, { ...own, email_key: 'other@example.com' }];
    for (const [at, each] of keys.entries()) {
      const made = registration(tenant, each, at === 1 ? undefined : key('contractor'));
      // a key is of one contractor, so that the third is answered as the first was
      const given = { ...made, contractor: { ...everything, city: `City ${at}` } };
      await write((to) => ask(to.contractors.add(tenant, given)));
      reads.push((of) => ask(of.contractors.byKey(tenant, each)));
    }
    await fillDeals(store, tenant, write, reads);
    reads.push(...lists(tenant), (of) => eventsFromEverywhere(of, tenant));
  }
  const answers = async (questions: typeof reads, of: StoreSubject) => {
    const all: unknown[] = [];
    for (const question of questions) all.push(await question(of));
    return all;
  };
  return { again: (to) => answers(writes, to), read: (of) => answers(reads, of) };
}

async function fillDeals(
  store: StoreSubject,
  tenant: Tenant,
  write: (send: (to: StoreSubject) => Promise<unknown>) => Promise<void>,
  reads: ((of: StoreSubject) => Promise<unknown>)[],
): Promise<void> {
  const text = 'Zażółć 😀\u2028\u0001\n"\\';
  const first = addition(tenant, 'one', key('deal'));
  const deal = {
    ...first.deal,
    partner_id: 'one',
    name: text,
    description: text.repeat(500),
    budget: fromMinorUnits(-99_999_999_999_999_999_999n),
    work_days: Number.MIN_SAFE_INTEGER,
    sub_category_id: Number.MAX_SAFE_INTEGER,
    created_at: '0000-01-01T00:00:00.000Z',
  };
  const second = additionV2(tenant, 'two', key('deal 2'));
  const dealV2 = {
    ...second.deal,
    amount: fromMinorUnits(99_999_999_999_999_999_999n),
    created_at: '9999-12-31T23:59:59.999Z',
  };
  await write((to) => ask(to.deals.add(tenant, { ...first, deal })));
  await write((to) => ask(to.dealsV2.add(tenant, { ...second, deal: dealV2 })));
  // without keys: they are known by their attempts
  const [third, fourth] = [addition(tenant, 'ONE'), additionV2(tenant, 'TWO')];
  await write((to) => ask(to.deals.add(tenant, third)));
  await write((to) => ask(to.dealsV2.add(tenant, fourth)));
  await ask(store.dealsV2.save(tenant, changeOfV2(tenant, 'two', 1, {}, 2)));

  const moved = await createDeal(store, tenant, 'moved');
  const files: string[] = [];
  const upload = async (stage: number, version: number, name?: string) => {
    const file = workFileOf(moved.stage_ids[stage] ?? 0);
    const idempotency = name === undefined ? undefined : key(name);
    const given = fileAddition(tenant, moved.id, version, file, idempotency, 'moved');
    files.push(file.id);
    await write((to) => ask(to.deals.addWorkFile(tenant, given)));
  };
  await upload(1, 1, 'file');
  await upload(0, 2);
  await upload(1, 3, 'file 2');
  await upload(1, 4);
  const read = await ask(store.deals.byId(tenant, moved.id));
  if (read !== undefined) await ask(store.deals.save(tenant, changeOf(tenant, read.value, 5)));

  reads.push((of) => ask(of.deals.recordedWorkFiles(tenant, ['none', ...files])));
  reads.push((of) => ask(of.deals.byId(tenant, moved.id)));
  for (const partner_id of ['one', 'ONE', 'two', 'TWO', 'moved', 'none']) {
    reads.push((of) => ask(of.deals.byPartnerId(tenant, partner_id)));
    reads.push((of) => ask(of.dealsV2.byPartnerId(tenant, partner_id)));
    reads.push((of) => ask(of.dealIndex.byPartnerId(tenant, partner_id)));
  }
}

function lists(tenant: Tenant) {
  const filters = [
    {},
    { status: 'accepted' },
    { freelancer_status: 'new' },
    { email_key: 'freelancer@example.com' },
    { created_from: '2026-01-01T00:00:00.000Z' },
  ] as const;
  const stretches: readonly DealStretch[] = (['older', 'newer'] as const).map((direction) => ({
    direction,
    from: undefined,
    limit: 3,
  }));
  return filters.flatMap((filter) =>
    stretches.map(
      (stretch) => (of: StoreSubject) => ask(of.dealIndex.list(tenant, filter, stretch)),
    ),
  );
}

async function eventsFromEverywhere(store: StoreSubject, tenant: Tenant): Promise<unknown> {
  const all = await allEvents(store, tenant);
  const pages: unknown[] = [all];
  for (let count = 1; count <= all.length; count += 1) {
    const { cursor } = await eventPage(store, tenant, undefined, count);
    pages.push((await eventPage(store, tenant, cursor, 2)).events);
  }
  return pages;
}
