import {
  createMarketplace,
  type FreelancerApi,
  type FreelancerView,
  type LocalMarketplace,
  type MarketplaceOptions,
  type OperatorApi,
  type PartnerApi,
} from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import {
  createClient,
  createFreelancerClient,
  createOperatorClient,
  type FetchLike,
} from 'dealwright/client';
import { createFetchHandler, createHandler } from 'dealwright/http';
import { createSandboxGateway } from 'dealwright/payments';
import type { MarketplacePorts, PaymentEffect, PaymentGateway, Tenant } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { eventsOf } from '../kit/stored.js';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const file = { name: 'draft.txt', content: Uint8Array.of(0x61, 0x62, 0x63) };
export const day = 24 * 60 * 60 * 1000;

/** A gateway that remembers its calls. */
export function watchedGateway(inner: PaymentGateway = createSandboxGateway()) {
  const asked: PaymentEffect[] = [];
  const payments: PaymentGateway = {
    executes: (tenant) => inner.executes(tenant),
    execute(tenant, effect) {
      asked.push(effect);
      return inner.execute(tenant, effect);
    },
  };
  return { asked, payments };
}

/** The sides of a deal, in process or over HTTP. */
export type Faces = (
  marketplace: LocalMarketplace,
  ports: MarketplacePorts,
) => {
  readonly api: PartnerApi;
  readonly operator: OperatorApi;
  readonly freelancer: (payment_token: string) => FreelancerApi;
};

export const inProcess: Faces = (marketplace) => ({
  api: marketplace.partner(acme),
  operator: marketplace.operator('sandbox'),
  freelancer: (payment_token) => marketplace.freelancer('sandbox', payment_token),
});

/** Each side by its client, without a network. */
export const overHttp: Faces = (marketplace, ports) => {
  const handler = createHandler(marketplace, {
    ...ports,
    authenticator: createTokenAuthenticator([['t', acme]], ports),
    operatorAuthenticator: { authenticate: (token) => ok(token === 'o' ? 'sandbox' : undefined) },
  });
  const handle = createFetchHandler(handler);
  const fetch: FetchLike = (url, request) => handle(new Request(url, request));
  const service = { baseUrl: 'https://deals.example.com', fetch };
  return {
    api: createClient({ ...service, token: 't' }),
    operator: createOperatorClient({ ...service, token: 'o' }),
    freelancer: (payment_token) => createFreelancerClient({ ...service, payment_token }),
  };
};

/** A marketplace over memory with a gateway; only the test moves its time. */
export const createWorldOf =
  (faces: Faces) =>
  (options: MarketplaceOptions = {}, gateway?: PaymentGateway) => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const { asked, payments } = watchedGateway(gateway);
    const ports = { ...createPorts(), clock, payments, paymentTokens: createOpaqueTokenIssuer() };
    const marketplace = createMarketplace(ports, options);
    const { api, operator, freelancer } = faces(marketplace, ports);
    const operatorDeals = operator.partner('acme');
    return {
      ports,
      clock,
      asked,
      marketplace,
      api,
      operator,
      operatorDeals,
      /** A deal of version 2.0, and its freelancer. */
      async offer(amount = '500.00', partner_id = dealV2Body.partner_id) {
        const created = await api.createDealV2({ ...dealV2Body, partner_id, amount });
        const { payment_token } = created._unsafeUnwrap();
        return {
          partner_id,
          payment_token,
          freelancer: freelancer(payment_token),
        };
      },
      /** A deal of version 1.0. */
      async deal(other: { readonly budget?: string } = {}) {
        await api.registerContractor(contractorBody);
        return (await api.createDeal({ ...dealBody, ...other }))._unsafeUnwrap();
      },
      async details(partner_id = dealV2Body.partner_id) {
        return (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
      },
      async types() {
        return (await eventsOf(ports.store, acme)).map(({ type }) => type);
      },
      events: () => eventsOf(ports.store, acme),
    };
  };

export const createWorld = createWorldOf(inProcess);

/** The visible state of a deal. */
export const stateOf = ({
  status,
  freelancer_status,
  stages,
}: Pick<FreelancerView, 'status' | 'freelancer_status' | 'stages'>): string =>
  [status, freelancer_status, ...stages.map((stage) => stage.status)].join(' ');
