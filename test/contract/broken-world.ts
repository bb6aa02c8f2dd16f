import { createMarketplace, type PartnerApi } from 'dealwright';
import type { FileScanner, MarketplacePorts } from 'dealwright/ports';
import { createManualClock, type ManualClock } from 'dealwright/testing';
import { ok, type ResultAsync } from 'neverthrow';
import { expect } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2, tenant } from '../kit/requests.js';
import { contractorOf, dealOf, eventsOf } from '../kit/stored.js';
import { deadline } from './every-fault.js';

/** The key by which every call of these tests can be repeated. */
export const key = { idempotencyKey: 'the-key' };

export type Operation = keyof PartnerApi;

/** A small file. */
export const file = { name: 'draft.txt', content: Uint8Array.of(0x61, 0x62, 0x63) };

type Call = (
  api: PartnerApi<never>,
  /** The id of the deal that exists already. */
  id: number,
) => ResultAsync<unknown, { readonly code: string }>;

const unknownId = '01KDVE0000000000000000000B';

/** Each operation with an input that a healthy world accepts. */
const operations: Readonly<Record<Operation, Call>> = {
  registerContractor: (api) => api.registerContractor(contractor, key),
  createDeal: (api) => api.createDeal(deal, key),
  createDealV2: (api) => api.createDealV2(dealV2, key),
  uploadFile: (api, id) => api.uploadFile({ id }, file, key),
  listCategories: (api) => api.listCategories(),
  retrieveDeal: (api, id) => api.retrieveDeal(id),
  retrieveDealDetails: (api) => api.retrieveDealDetails('there-already'),
  listDeals: (api) => api.listDeals(),
  listWorkFiles: (api) => api.listWorkFiles('there-already'),
  downloadWorkFile: (api) => api.downloadWorkFile('there-already', '01KDVE0000000000000000000B'),
  listEvents: (api) => api.listEvents(),
  listDealEvents: (api) => api.listDealEvents('there-already'),
  createWebhook: (api) => api.createWebhook({ url: 'https://example.com/deals' }),
  listWebhooks: (api) => api.listWebhooks(),
  retrieveWebhook: (api) => api.retrieveWebhook('01KDVE0000000000000000000F'),
  deleteWebhook: (api) => api.deleteWebhook('01KDVE0000000000000000000F'),
  rotateWebhook: (api) => api.rotateWebhook('01KDVE0000000000000000000F'),
  enableWebhook: (api) => api.enableWebhook('01KDVE0000000000000000000F'),
  testWebhook: (api) => api.testWebhook('01KDVE0000000000000000000F'),
  listDeliveries: (api) => api.listDeliveries('01KDVE0000000000000000000F'),
  redeliver: (api) => api.redeliver('01KDVE0000000000000000000F', '01KDVE0000000000000000000B'),
  redeliverAll: (api) =>
    api.redeliverAll('01KDVE0000000000000000000F', { since: '2026-01-01T00:00:00Z' }),
  listFailedDeliveries: (api) => api.listFailedDeliveries(),
  listDealDeliveries: (api) => api.listDealDeliveries('there-already'),
  listTokens: (api) => api.listTokens(),
  retrievePromises: (api) => api.retrievePromises(),
  invite: (api) => api.invite('there-already', {}, key),
  accept: (api) => api.accept('there-already', {}, key),
  decline: (api) => api.decline('there-already', {}, key),
  cancel: (api) => api.cancel('there-already', {}, key),
  deliver: (api) => api.deliver('there-already', {}, key),
  requestChanges: (api) => api.requestChanges('there-already', { reason: 'r' }, key),
  approve: (api) => api.approve('there-already', {}, key),
  dispute: (api) => api.dispute('there-already', { reason: 'r' }, key),
  requestPayment: (api) => api.requestPayment('there-already', {}, key),
  addBonus: (api) => api.addBonus('there-already', { amount: '10.00' }, key),
  propose: (api) =>
    api.propose('there-already', { kind: 'amendment', changes: { title: 'Another title' } }, key),
  acceptProposal: (api) =>
    api.acceptProposal('there-already', unknownId, { terms_sha256: '0'.repeat(64) }, key),
  rejectProposal: (api) => api.rejectProposal('there-already', unknownId, {}, key),
  withdrawProposal: (api) => api.withdrawProposal('there-already', unknownId, {}, key),
  listProposals: (api) => api.listProposals('there-already'),
  retrieveProposal: (api) => api.retrieveProposal('there-already', unknownId),
  listTerms: (api) => api.listTerms('there-already'),
};

/** The operations that write. */
export const writes = ['registerContractor', 'createDeal', 'createDealV2', 'uploadFile'] as const;
export const reads = [
  ...(['listCategories', 'retrieveDeal', 'retrieveDealDetails'] as const),
  'listDeals',
] as const;

const acceptAll: FileScanner = { scan: () => ok('accepted') };

/** Longer than a content may exist before its record. */
const twoDays = 48 * 60 * 60 * 1000;

/** A world with one fault in one method of one port; the fault can be removed. */
export async function brokenWorld(
  break_: (ports: MarketplacePorts, timer: ManualClock) => MarketplacePorts,
  operation: Operation,
) {
  // the ids are those of the runtime, and begin with its time
  const timer = createManualClock(Date.now());
  const ports = { ...createPorts(), timer, scanner: acceptAll };
  const marketplace = createMarketplace(ports, { deadline });
  // the contents belong to this store from the start
  expect((await marketplace.sweepFiles(tenant)).isOk()).toBe(true);
  const healthy = marketplace.partner(tenant);
  if (operation !== 'registerContractor')
    expect((await healthy.registerContractor(contractor)).isOk()).toBe(true);
  const existing = { ...deal, partner_id: 'there-already' };
  const id =
    operation === 'registerContractor'
      ? 0
      : (await healthy.createDeal(existing))._unsafeUnwrap().id;
  const broken = createMarketplace(break_(ports, timer), { deadline }).partner(tenant);
  const before = (await eventsOf(ports.store, tenant)).length;

  const recordedFiles = async (): Promise<readonly string[]> => {
    const found = await dealOf(ports.store, tenant, existing.partner_id);
    return found?.work_file.map((each) => each.id) ?? [];
  };
  const contents = async () =>
    (await ports.files.list(tenant, undefined))._unsafeUnwrap() as readonly string[];

  const findRecord = async (): Promise<boolean> => {
    switch (operation) {
      case 'registerContractor':
        return (await contractorOf(ports.store, contractor.email)) !== undefined;
      case 'createDeal':
        return (await dealOf(ports.store, tenant, deal.partner_id)) !== undefined;
      case 'createDealV2':
        return (await dealOf(ports.store, tenant, dealV2.partner_id)) !== undefined;
      default:
        return (await recordedFiles()).length > 0;
    }
  };
  /** Record, event and idempotency record all exist, or none; no record without its content. */
  const isStored = async (): Promise<boolean> => {
    const found = await findRecord();
    expect((await eventsOf(ports.store, tenant)).length - before).toBe(found ? 1 : 0);
    expect(await contents()).toEqual(expect.arrayContaining([...(await recordedFiles())]));
    return found;
  };
  /** After a sweep, exactly the contents with a record exist. */
  const sweep = async () => {
    timer.advance(twoDays);
    const swept = (await marketplace.sweepFiles(tenant))._unsafeUnwrap();
    expect(await contents()).toEqual(await recordedFiles());
    return swept;
  };
  const call = (api: PartnerApi<never>) => operations[operation](api, id);
  return { timer, ports, healthy, broken, call, id, isStored, contents, sweep };
}
