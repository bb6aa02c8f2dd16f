import { createMarketplace } from 'dealwright';
import { createHandler, type Handler } from 'dealwright/http';
import { ok } from 'neverthrow';
import { type CheckResponse, createResponseCheck } from '../kit/open-api.js';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { closeStages } from '../kit/stored.js';
import { type FuzzAnswer, rowOf } from './expectations.js';
import type { FuzzRequest } from './requests.js';

/** A service with something in it, and what is known of it. */
export interface World {
  readonly handler: Handler;
  readonly token: string;
  /** Of a partner that has nothing at first. */
  readonly strangerToken: string;
  /** Of deals of version 1.0. */
  readonly ids: readonly number[];
  readonly partnerIds: readonly string[];
  /** The cause of every 500 and 503. */
  readonly causes: readonly unknown[];
  /** What of an answer is not as the OpenAPI document says. */
  readonly faultsOf: CheckResponse;
  /** What names a deal of the caller (`id 1`, `partner_id deal-1`); nothing for strangers to all. */
  dealsOf(request: FuzzRequest): ReadonlySet<string> | undefined;
  /** Remembers what was created. */
  learn(request: FuzzRequest, answer: FuzzAnswer): void;
}

/** The documents of all worlds are one and the same. */
let faultsOf: CheckResponse | undefined;

const partnerIds = ['deal-1', 'deal 2/ü', '..', '*', 'by-id'];
/** Deals that were worked on, as far as the first of their commands that is still to come. */
const worked = {
  deliver: ['accepted-1', 'accepted-2', 'accepted-3'],
  approve: ['delivered-1', 'delivered 2/ü', 'delivered-3'],
};

/** A service with low limits, so that requests need not be large to be too large. */
export async function createWorld(): Promise<World> {
  const ports = createPorts();
  const marketplace = createMarketplace(ports, { fileLimit: 64 * 1024 });
  const token = 'token-of-the-fuzz-test';
  const strangerToken = 'token-of-a-stranger';
  const tenant = (partner: string) => ({ environment: 'sandbox', partner }) as const;
  const tenants = new Map([
    [token, tenant('acme')],
    [strangerToken, tenant('stranger')],
  ]);
  const causes: unknown[] = [];
  const handler = createHandler(marketplace, {
    ...ports,
    authenticator: { authenticate: (given: string) => ok(tenants.get(given)) },
    bodyLimit: 64 * 1024,
    onError: (report) => causes.push(report),
  });
  const api = marketplace.partner(tenant('acme'));
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const ids: number[] = [];
  const allOf1 = [...partnerIds, ...worked.deliver, ...worked.approve];
  for (const partner_id of allOf1) {
    ids.push((await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap().id);
  }
  await closeStages(ports.store, tenant('acme'), partnerIds[1] ?? '');
  (await api.createDealV2(dealV2))._unsafeUnwrap();
  const file = { name: 'a.txt', content: 'T25jZQ==' };
  for (const partner_id of [...worked.deliver, ...worked.approve]) {
    (await api.accept(partner_id))._unsafeUnwrap();
    (await api.uploadWorkFile(partner_id, file))._unsafeUnwrap();
  }
  for (const partner_id of worked.approve) (await api.deliver(partner_id))._unsafeUnwrap();
  const allPartnerIds = [...allOf1, dealV2.partner_id];
  const names = [
    ...ids.map((id) => `id ${id}`),
    ...allPartnerIds.map((partner_id) => `partner_id ${partner_id}`),
  ];
  const deals = new Map([
    [token, new Set(names)],
    [strangerToken, new Set<string>()],
  ]);
  const dealsOf = ({ headers }: FuzzRequest) =>
    deals.get(/^token +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '');
  faultsOf ??= await createResponseCheck(handler);
  return {
    handler,
    token,
    ids,
    partnerIds: allPartnerIds,
    strangerToken,
    causes,
    faultsOf,
    dealsOf,
    learn(request, { status, body = '' }) {
      const name = rowOf(request)?.name;
      if (status !== 201 || (name !== 'createDeal' && name !== 'createDealV2')) return;
      const created = dealsOf(request);
      created?.add(`partner_id ${JSON.parse(new TextDecoder().decode(request.body)).partner_id}`);
      if (name === 'createDeal') created?.add(`id ${JSON.parse(body).data.id}`);
    },
  };
}
