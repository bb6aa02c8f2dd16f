import { createMarketplace } from 'dealwright';
import { createHandler, type Handler } from 'dealwright/http';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { type CheckResponse, createResponseCheck } from '../kit/open-api.js';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { closeStages } from '../kit/stored.js';
import type { FuzzRequest } from './requests.js';
import { type FuzzAnswer, rowOf, schemeFor } from './rows.js';

/** The parts of a path to a deal of version 1.0 or 2.0, to a file of it, or to a webhook. */
export type Place = Readonly<
  Record<
    'id' | 'partner_id' | 'partner' | 'file_id' | 'state' | 'webhook_id' | 'proposal_id',
    string
  >
>;

/** A service with some records, and the knowledge about it. */
export interface World {
  readonly handler: Handler;
  readonly token: string;
  /** The token of a partner that has no records at first. */
  readonly strangerToken: string;
  readonly operatorToken: string;
  /** Payment tokens of deals. */
  readonly offers: readonly string[];
  readonly places: readonly Place[];
  /** The ids of deals of version 1.0. */
  readonly ids: readonly number[];
  readonly partnerIds: readonly string[];
  /** The cause of every 500 and 503. */
  readonly causes: readonly unknown[];
  /** The differences between an answer and the OpenAPI document. */
  readonly faultsOf: CheckResponse;
  /**
   * The names of the caller's deals (`id 1`, `partner_id deal-1`) with the ids of their files, and
   * of its webhooks; of the partner if the caller is an operator; `undefined` for unknown callers.
   */
  dealsOf(request: FuzzRequest, partner?: string): Deals | undefined;
  /** Remembers what was created. */
  learn(request: FuzzRequest, answer: FuzzAnswer): void;
}

/** The ids of the files of deals, by the names of the deals. */
export type Deals = ReadonlyMap<string, readonly string[]>;

/** The documents of all worlds are the same. */
let faultsOf: CheckResponse | undefined;

const partnerIds = ['deal-1', 'deal 2/ü', '..', '*', 'by-id'];
/** Deals that were worked on, by progress. */
const worked = {
  accepted: ['accepted-1', 'accepted-2', 'accepted-3'],
  delivered: ['delivered-1', 'delivered 2/ü', 'delivered-3'],
  disputed: ['disputed-1', 'disputed-2'],
  unpaid: ['unpaid-1', 'unpaid-2'],
  overpaid: ['overpaid-1', 'overpaid-2', 'overpaid-3'],
};
/** Deals of version 2.0, whose freelancers call by themselves. */
const offered = {
  offered: [dealV2.partner_id, 'offer-1', 'offer-2', 'offer 3/ü'],
  begun: ['offer-4', 'offer-5', 'offer-6'],
  sent: ['offer-7', 'offer-8', 'offer-9'],
};
const stateOf = (partner_id: string): string =>
  Object.entries({ ...worked, ...offered }).find(([, all]) => all.includes(partner_id))?.[0] ??
  'new';
export const fileText = 'Once';
const file = { name: 'a.txt', content: btoa(fileText) };

/** A service with low limits, so that small requests can be too large. */
export async function createWorld(): Promise<World> {
  const timer = createPorts().timer;
  const ports = {
    ...createPorts(),
    clock: { now: () => timer.now() },
    paymentTokens: createOpaqueTokenIssuer(),
  };
  const marketplace = createMarketplace(ports, { fileLimit: 64 * 1024 });
  const token = 'token-of-the-fuzz-test';
  const strangerToken = 'token-of-a-stranger';
  const operatorToken = 'token-of-the-staff';
  const tenant = (partner: string) => ({ environment: 'sandbox', partner }) as const;
  const tenants = new Map([
    [token, tenant('acme')],
    [strangerToken, tenant('stranger')],
  ]);
  const causes: unknown[] = [];
  const handler = createHandler(marketplace, {
    ...ports,
    authenticator: { authenticate: (given: string) => ok(tenants.get(given)) },
    operatorAuthenticator: {
      authenticate: (given: string) =>
        ok(given === operatorToken ? ('sandbox' as const) : undefined),
    },
    bodyLimit: 64 * 1024,
    onError: (report) => causes.push(report),
  });
  const api = marketplace.partner(tenant('acme'));
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const deals = new Map<string, string[]>();
  const ids = new Map<string, number>();
  const allOf1 = [...partnerIds, ...Object.values(worked).flat()];
  for (const partner_id of allOf1) {
    const { id } = (await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
    ids.set(partner_id, id);
  }
  await closeStages(ports.store, tenant('acme'), partnerIds[1] ?? '');
  const webhook = { url: 'https://93.184.215.14/events' };
  const { id: webhook_id } = (await api.createWebhook(webhook))._unsafeUnwrap();
  deals.set(`webhook ${webhook_id}`, []);
  const offers = new Map<string, string>();
  for (const partner_id of Object.values(offered).flat()) {
    const created = await api.createDealV2({ ...dealV2, partner_id });
    offers.set(created._unsafeUnwrap().payment_token, partner_id);
  }
  const proposals = new Map<string, string>();
  for (const [payment_token, partner_id] of offers) {
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    const changes = { title: 'Proposed' };
    const proposed = await freelancer.propose({ kind: 'amendment', changes });
    proposals.set(partner_id, proposed._unsafeUnwrap().id);
  }
  const places: Place[] = [];
  for (const partner_id of [...allOf1, ...offers.values()]) {
    const state = stateOf(partner_id);
    const files: string[] = [];
    if (state !== 'new' && state !== 'offered') {
      if (ids.has(partner_id)) (await api.accept(partner_id))._unsafeUnwrap();
      files.push((await api.uploadFile({ partner_id }, file))._unsafeUnwrap().id);
    }
    const id = String(ids.get(partner_id) ?? 1);
    places.push({
      partner_id,
      partner: 'acme',
      id,
      file_id: files[0] ?? 'none',
      state,
      webhook_id,
      proposal_id: proposals.get(partner_id) ?? 'none',
    });
    deals.set(`partner_id ${partner_id}`, files);
    if (ids.has(partner_id)) deals.set(`id ${id}`, []);
  }
  const { delivered, disputed, unpaid, overpaid } = worked;
  for (const partner_id of [...delivered, ...disputed, ...unpaid]) {
    (await api.deliver(partner_id))._unsafeUnwrap();
  }
  for (const partner_id of disputed) {
    (await api.dispute(partner_id, { reason: 'r' }))._unsafeUnwrap();
  }
  for (const [payment_token, partner_id] of offers) {
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    if (stateOf(partner_id) === 'sent') (await freelancer.deliver())._unsafeUnwrap();
  }
  const operatorDeals = marketplace.operator('sandbox').partner('acme');
  for (const partner_id of unpaid) {
    const { billing } = (await api.approve(partner_id))._unsafeUnwrap();
    const payment_id = billing.employer_payments[0]?.id ?? '';
    const report = { payment_id, status: 'failed', reference: 'r' } as const;
    (await operatorDeals.recordEmployerPayment(partner_id, report))._unsafeUnwrap();
  }
  for (const partner_id of overpaid) {
    const report = { status: 'paid', reference: 'r', amount: '5000.00' } as const;
    (await operatorDeals.recordEmployerPayment(partner_id, report))._unsafeUnwrap();
  }
  const byPartner = new Map([
    ['acme', deals],
    ['stranger', new Map<string, string[]>()],
  ]);
  const credentialsOf = ({ headers }: FuzzRequest) =>
    /^(token|offer|operator) +(\S+)$/i.exec(headers['authorization'] ?? '')?.slice(1) ?? [];
  const ownDeals = (given: string) => byPartner.get(tenants.get(given)?.partner ?? '');
  faultsOf ??= await createResponseCheck(handler);
  return {
    handler,
    token,
    ids: [...ids.values()],
    partnerIds: [...allOf1, ...offers.values()],
    strangerToken,
    operatorToken,
    offers: [...offers.keys()],
    places,
    causes,
    faultsOf,
    dealsOf(request, partner = '') {
      const [scheme = '', given = ''] = credentialsOf(request);
      const wanted = schemeFor(request);
      if (scheme.toLowerCase() !== wanted.toLowerCase()) return undefined;
      if (wanted === 'Token') return ownDeals(given);
      if (wanted === 'Operator') {
        return given === operatorToken ? (byPartner.get(partner) ?? new Map()) : undefined;
      }
      const own = offers.get(given);
      return own === undefined
        ? undefined
        : new Map([['offer', deals.get(`partner_id ${own}`) ?? []]]);
    },
    learn(request, { status, body = '' }) {
      const name = rowOf(request)?.name;
      const created = ownDeals(credentialsOf(request)[1] ?? '');
      if (status === 201 && name === 'createWebhook') {
        created?.set(`webhook ${JSON.parse(body).data.id}`, []);
      }
      if (status !== 201 || (name !== 'createDeal' && name !== 'createDealV2')) return;
      const { partner_id } = JSON.parse(new TextDecoder().decode(request.body));
      const { data } = JSON.parse(body);
      const files = created?.get(`partner_id ${partner_id}`) ?? [];
      created?.set(`partner_id ${partner_id}`, files);
      if (name === 'createDeal') created?.set(`id ${data.id}`, []);
    },
  };
}
