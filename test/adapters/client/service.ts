import type { PartnerApi, Tenant } from 'dealwright';
import {
  type ClientOptions,
  createClient,
  type DealwrightClient,
  type FetchLike,
} from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import { contractTenants } from 'dealwright/spec';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler, tokenOf } from '../../kit/service.js';

const [first] = contractTenants;
if (first === undefined) throw new Error('the contract has tenants');
export const tenant: Tenant = first;
export const token = tokenOf(tenant);

/** A fetch that calls a service of its own, without a network. */
export function createOfflineFetch(ports = createPorts()): FetchLike {
  const handle = createFetchHandler(createTestHandler(ports));
  return (url, request) => handle(new Request(url, request));
}

/** A client of a service of its own. */
export function createOfflineClient(options: Partial<ClientOptions> = {}): DealwrightClient {
  const fetch = options.fetch ?? createOfflineFetch();
  return createClient({ baseUrl: 'https://deals.example.com', token, fetch, ...options });
}

/** Makes a deal of version 1.0 to upload files for. */
export async function makeDeal(api: DealwrightClient): Promise<{ id: number; stage_id: number }> {
  await api.registerContractor(contractor);
  const { id, stage_ids } = (await api.createDeal(deal))._unsafeUnwrap();
  const [stage_id] = stage_ids;
  if (stage_id === undefined) throw new Error('a deal has a stage');
  return { id, stage_id };
}

const content = new TextEncoder().encode('Once');

/** Every operation, with options. */
export const operations: Readonly<
  Record<
    keyof PartnerApi | 'uploadWorkFile',
    (api: DealwrightClient, key: object) => ReturnType<PartnerApi[keyof PartnerApi]>
  >
> = {
  registerContractor: (api, key) => api.registerContractor(contractor, key),
  createDeal: (api, key) => api.createDeal(deal, key),
  createDealV2: (api, key) => api.createDealV2(dealV2, key),
  uploadFile: (api, key) => api.uploadFile({ id: 1 }, { name: 'a', content }, key),
  listCategories: (api, key) => api.listCategories(key),
  retrieveDeal: (api, key) => api.retrieveDeal(1, key),
  retrieveDealDetails: (api, key) => api.retrieveDealDetails('a', key),
  listDeals: (api, key) => api.listDeals({}, key),
  uploadWorkFile: (api, key) => api.uploadFile({ partner_id: 'a' }, { name: 'a', content }, key),
  listWorkFiles: (api, key) => api.listWorkFiles('a', key),
  downloadWorkFile: (api, key) => api.downloadWorkFile('a', 'b', key),
  listEvents: (api, key) => api.listEvents({}, key),
  listDealEvents: (api, key) => api.listDealEvents('a', {}, key),
  createWebhook: (api, key) => api.createWebhook({ url: 'https://a.example' }, key),
  listWebhooks: (api, key) => api.listWebhooks(key),
  retrieveWebhook: (api, key) => api.retrieveWebhook('a', key),
  deleteWebhook: (api, key) => api.deleteWebhook('a', key),
  rotateWebhook: (api, key) => api.rotateWebhook('a', key),
  enableWebhook: (api, key) => api.enableWebhook('a', key),
  testWebhook: (api, key) => api.testWebhook('a', key),
  listDeliveries: (api, key) => api.listDeliveries('a', {}, key),
  redeliver: (api, key) => api.redeliver('a', 'b', key),
  redeliverAll: (api, key) => api.redeliverAll('a', { since: '2026-01-01T00:00:00Z' }, key),
  listFailedDeliveries: (api, key) => api.listFailedDeliveries({}, key),
  listDealDeliveries: (api, key) => api.listDealDeliveries('a', {}, key),
  listTokens: (api, key) => api.listTokens(key),
  retrievePromises: (api, key) => api.retrievePromises(key),
  invite: (api, key) => api.invite('a', {}, key),
  accept: (api, key) => api.accept('a', {}, key),
  decline: (api, key) => api.decline('a', {}, key),
  cancel: (api, key) => api.cancel('a', {}, key),
  deliver: (api, key) => api.deliver('a', {}, key),
  requestChanges: (api, key) => api.requestChanges('a', { reason: 'a' }, key),
  approve: (api, key) => api.approve('a', {}, key),
  dispute: (api, key) => api.dispute('a', { reason: 'a' }, key),
  requestPayment: (api, key) => api.requestPayment('a', {}, key),
  addBonus: (api, key) => api.addBonus('a', { amount: '1.00' }, key),
  propose: (api, key) => api.propose('a', { kind: 'amendment', changes: { title: 'b' } }, key),
  acceptProposal: (api, key) => api.acceptProposal('a', 'b', { terms_sha256: 'c' }, key),
  rejectProposal: (api, key) => api.rejectProposal('a', 'b', {}, key),
  withdrawProposal: (api, key) => api.withdrawProposal('a', 'b', {}, key),
  listProposals: (api, key) => api.listProposals('a', {}, key),
  retrieveProposal: (api, key) => api.retrieveProposal('a', 'b', key),
  listTerms: (api, key) => api.listTerms('a', {}, key),
};
/** The operations that give a command to a deal. */
export const commands = [
  ...(['invite', 'accept', 'decline', 'cancel', 'deliver', 'requestChanges'] as const),
  ...(['approve', 'dispute', 'requestPayment', 'addBonus'] as const),
];
/** The operations that propose other terms, or decide about a proposal. */
export const proposing = [
  ...(['propose', 'acceptProposal', 'rejectProposal', 'withdrawProposal'] as const),
];
/** The operations without a key: if an attempt may have had its effect, they are not retried. */
export const once: readonly string[] = [
  ...['createWebhook', 'rotateWebhook', 'enableWebhook', 'testWebhook', 'redeliver'],
  'redeliverAll',
];
/** The operations that make a change, and take a key. */
export const writes: readonly string[] = [
  'registerContractor',
  'createDeal',
  'createDealV2',
  'uploadFile',
  'uploadWorkFile',
  ...commands,
  ...proposing,
];
