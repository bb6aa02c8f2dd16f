import type { Tenant } from 'dealwright';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import type { Dice } from './dice.js';
import { dealAnswer, type Intent, type Journal } from './journal.js';

/** Two tenants that are independent of each other. */
export const tenants: readonly Tenant[] = [
  { environment: 'sandbox', partner: 'acme' },
  { environment: 'sandbox', partner: 'bolt' },
];

/** The token of a tenant of this run. */
export function tokenOf({ partner }: Tenant): string {
  return `token-of-${partner}`;
}

/** `DEALWRIGHT_TOKENS` of the service. */
export const tokens = tenants
  .map((tenant) => `${tokenOf(tenant)}=${tenant.environment}:${tenant.partner}`)
  .join(',');

/** The records of a tenant to which others can be added. */
interface Ground {
  readonly contractors: Intent[];
  readonly deals: Intent[];
}

/** Chooses records to create, each new, with a key or without one. */
export function createImagination(journal: Journal, dice: Dice) {
  const grounds = new Map<Tenant, Ground>(
    tenants.map((tenant) => [tenant, { contractors: [], deals: [] }]),
  );
  const propose = (
    kind: Intent['kind'],
    tenant: Tenant,
    make: (
      name: string,
    ) => Pick<Intent, 'path' | 'body'> & { readonly name?: string; readonly of?: Intent },
  ) => {
    const number = journal.intents.length + 1;
    const name = `${kind}-${number}`;
    const key = dice.isBelow(60) ? `key-of-${name}` : undefined;
    return journal.add({ kind, tenant, name, key, ...make(name) });
  };

  const makeContractor = (tenant: Tenant, ground: Ground) => {
    const intent = propose('contractor', tenant, (given) => {
      const name = `${given}@example.com`;
      return { name, path: '/api/1.0/contractor/', body: { ...contractor, email: name } };
    });
    ground.contractors.push(intent);
    return intent;
  };
  const makeDeal = (tenant: Tenant, ground: Ground, registered: Intent) => {
    const intent = propose('deal', tenant, (name) => ({
      path: '/api/1.0/deal/',
      body: { ...deal, partner_id: name, contractor_email: registered.name },
    }));
    ground.deals.push(intent);
    return intent;
  };
  const makeDealV2 = (tenant: Tenant) =>
    propose('deal_v2', tenant, (name) => ({
      path: '/api/2.0/deal/',
      body: { ...dealV2, partner_id: name },
    }));
  const makeFile = (tenant: Tenant, of: Intent, id: number) =>
    propose('file', tenant, (name) => {
      const content = Buffer.alloc(dice.below(20_000), name).toString('base64');
      return { of, path: `/api/1.0/deal/${id}/file/`, body: { name, content } };
    });

  /** A work file for a deal of version 1.0, if the deal was acknowledged. */
  const fileFor = (deal: Intent): Intent | undefined => {
    const made = dealAnswer(deal);
    return made && makeFile(deal.tenant, deal, made.id);
  };
  const imagine = (): Intent => {
    const tenant = dice.pick(tenants) ?? { environment: 'sandbox', partner: 'acme' };
    const ground = grounds.get(tenant) ?? { contractors: [], deals: [] };
    const registered = dice.pick(ground.contractors.filter((each) => each.answer !== undefined));
    if (registered === undefined || dice.isBelow(8)) return makeContractor(tenant, ground);
    const lately = dice.pick(ground.deals.slice(-50).filter((each) => dealAnswer(each)));
    const made = lately && dealAnswer(lately);
    if (lately && made && dice.isBelow(12)) return makeFile(tenant, lately, made.id);
    return dice.isBelow(60) ? makeDeal(tenant, ground, registered) : makeDealV2(tenant);
  };
  return { imagine, fileFor };
}
