import { createMarketplace } from 'dealwright';
import { createFetchHandler, createHandler } from 'dealwright/http';
import { createSandboxGateway } from 'dealwright/payments';
import type { Store } from 'dealwright/ports';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { createPorts } from './ports.js';
import { contractor, deal, dealV2, tenant } from './requests.js';

/** A service over a store, and the bytes that it has received. */
export async function createSender(store: Store) {
  const ports = {
    ...createPorts(),
    store,
    paymentTokens: createOpaqueTokenIssuer(),
    payments: createSandboxGateway(),
  };
  const marketplace = createMarketplace(ports);
  const service = createHandler(marketplace, {
    ...ports,
    authenticator: { authenticate: (given: string) => ok(given === 't' ? tenant : undefined) },
    operatorAuthenticator: {
      authenticate: (given: string) => ok(given === 's' ? ('sandbox' as const) : undefined),
    },
  });
  (await marketplace.partner(tenant).registerContractor(contractor))._unsafeUnwrap();
  const handle = createFetchHandler(service);
  let sent = 0;
  let count = 0;
  return {
    marketplace,
    sent: () => sent,
    async send(authorization: string, method: string, path: string, input?: object) {
      count += 1;
      const body = input === undefined ? undefined : JSON.stringify(input);
      const headers = {
        host: 'localhost',
        authorization,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...(method === 'POST' && { 'idempotency-key': count.toString(36) }),
      };
      // as a client of HTTP/1.1 sends it
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
      sent += head.length + Buffer.byteLength(body ?? '');
      const init = { method, headers, ...(body !== undefined && { body }) };
      const answer = await handle(new Request(`http://localhost${path}`, init));
      const told = (await answer.json()) as Record<string, unknown>;
      return Object(told['data'] ?? told) as Record<string, unknown>;
    },
  };
}

export type Sender = Awaited<ReturnType<typeof createSender>>;

/** The subject of a sequence of requests. */
export interface About {
  readonly service: Sender;
  /** Its deals, made one after the other. */
  partner_id: string;
  offer: string;
  payment_id: string;
  webhook_id: string;
  id: string;
  /** The last proposal. */
  proposal: string;
  terms_sha256: string;
  count: number;
}

/** Makes the deals and the webhook of which the others are. */
export async function begin(service: Sender): Promise<About> {
  const none = { partner_id: '-', offer: '-', payment_id: '', webhook_id: '-', id: '1' };
  const about: About = { service, ...none, proposal: '-', terms_sha256: '0'.repeat(64), count: 0 };
  for (const name of ['create', 'createFirst', 'createWebhook']) await moves[name]?.(about);
  return about;
}

export type Move = (about: About) => Promise<unknown>;

const small = { name: 'a', content: btoa('a') };
const partner = 'Token t';
const operatorDeals = 'Operator s';
const ofDeal =
  (name: string, input?: object): Move =>
  ({ service, partner_id }) =>
    service.send(partner, 'POST', `/api/2.0/deal/${partner_id}/${name}/`, input);
const ofOffer =
  (name: string, input?: object): Move =>
  ({ service, offer }) =>
    service.send(`Offer ${offer}`, 'POST', `/api/2.0/offer/${name}/`, input);
const ofOperator =
  (name: string, input?: (about: About) => object): Move =>
  (about) =>
    about.service.send(
      operatorDeals,
      'POST',
      `/operator/${tenant.partner}/deal/${about.partner_id}/${name}/`,
      input?.(about),
    );
const ofWebhook =
  (method: string, name: string): Move =>
  ({ service, webhook_id }) =>
    service.send(partner, method, `/api/2.0/webhook/${webhook_id}/${name}`);
const report = (status: string, more: object = {}): Move =>
  ofOperator('record-employer-payment', (about) => {
    about.count += 1;
    const { payment_id, count } = about;
    return { ...(payment_id && { payment_id }), status, reference: count.toString(36), ...more };
  });

const create =
  (description: string): Move =>
  async (about) => {
    about.count += 1;
    about.partner_id = about.count.toString(36);
    const made = await about.service.send(partner, 'POST', '/api/2.0/deal/', {
      ...dealV2,
      ...{ partner_id: about.partner_id, email_freelancer: 'a@b.pl', title: 'a', description },
    });
    about.offer = String(made['payment_token']);
    about.payment_id = '';
  };
const createFirst =
  (description: string): Move =>
  async (about) => {
    about.count += 1;
    about.partner_id = about.count.toString(36);
    const made = await about.service.send(partner, 'POST', '/api/1.0/deal/', {
      ...deal,
      ...{ partner_id: about.partner_id, name: 'a', description },
    });
    about.id = String(made['id']);
    about.payment_id = '';
  };

/** The path of a proposal, and whoever sends it. */
type Proposer = (about: About) => readonly [authorization: string, path: string];
const partnerSide: Proposer = ({ partner_id }) => [
  partner,
  `/api/2.0/deal/${partner_id}/proposal/`,
];
const offerSide: Proposer = ({ offer }) => [`Offer ${offer}`, '/api/2.0/offer/proposal/'];
const propose =
  (side: Proposer, input: (about: About) => object | Promise<object>): Move =>
  async (about) => {
    about.count += 1;
    const [authorization, path] = side(about);
    const made = await about.service.send(authorization, 'POST', path, await input(about));
    const { id, terms_sha256 } = made;
    about.proposal = String(id ?? about.proposal);
    about.terms_sha256 = String(terms_sha256 ?? about.terms_sha256);
  };
const decide =
  (side: Proposer, decision: string, more: object = {}): Move =>
  (about) => {
    const { proposal, terms_sha256, service } = about;
    const [authorization, path] = side(about);
    const consent = decision === 'accept' ? { terms_sha256 } : {};
    const input = { ...consent, ...more };
    return service.send(authorization, 'POST', `${path}${proposal}/${decision}/`, input);
  };
const amending = (changes: object) => ({ kind: 'amendment', changes });
const titled = ({ count }: About) => amending({ title: count.toString(36) });

/** Changes of all stages: who sends them knows their ids without another request. */
const restaged =
  (change: (ids: readonly { readonly id: number }[], about: About) => readonly object[]) =>
  async (about: About): Promise<object> => {
    const api = about.service.marketplace.partner(tenant);
    const found = await api.retrieveDealDetails(about.partner_id);
    const stages = found.isOk() ? found.value.stages : [];
    const ids = stages.flatMap(({ id, status }) => (status === 'cancelled' ? [] : [{ id }]));
    return amending({ stages: change(ids, about) });
  };
const added = (name: string) => restaged(() => Array(100).fill({ name, budget: '0.01' }));
const moved = restaged((ids) => [...ids.slice(1), { name: 'a', budget: '0.01' }]);
const priced = restaged((ids, { count }) => ids.map((each) => ({ ...each, budget: `${count}` })));
const [words, name] = ['ą'.repeat(2_000), 'ą'.repeat(200)];

/** The shortest requests of every kind, and some with long texts. */
export const moves: Readonly<Record<string, Move>> = {
  create: create('a'),
  createWords: create('a'.repeat(20_000)),
  createFirst: createFirst('a'),
  createLong: createFirst('a'.repeat(60_000)),
  propose: propose(partnerSide, titled),
  offerPropose: propose(offerSide, titled),
  proposeWords: propose(offerSide, ({ count }) => amending({ description: `${words}${count}` })),
  message: propose(partnerSide, (about) => ({ ...titled(about), message: words })),
  settle: propose(partnerSide, () => ({ kind: 'settlement', changes: { agreed_amount: '0.01' } })),
  split: propose(partnerSide, added('a')),
  splitWords: propose(partnerSide, added(name)),
  move: propose(partnerSide, moved),
  price: propose(partnerSide, priced),
  acceptProposal: decide(partnerSide, 'accept'),
  rejectProposal: decide(partnerSide, 'reject'),
  withdrawProposal: decide(partnerSide, 'withdraw', { message: words }),
  offerAcceptProposal: decide(offerSide, 'accept'),
  offerRejectProposal: decide(offerSide, 'reject', { message: words }),
  offerWithdrawProposal: decide(offerSide, 'withdraw'),
  bonus: ofDeal('add-bonus', { amount: '0.01' }),
  bonusWords: ofDeal('add-bonus', { amount: '0.01', message: name }),
  register: ({ service }) => service.send(partner, 'POST', '/api/1.0/contractor/', contractor),
  upload: ({ service, id }) => service.send(partner, 'POST', `/api/1.0/deal/${id}/file/`, small),
  uploadWork: ofDeal('file', small),
  offerUpload: ofOffer('file', small),
  ...Object.fromEntries(
    ['invite', 'accept', 'decline', 'deliver', 'approve', 'request-payment'].map((name) => [
      name,
      ofDeal(name),
    ]),
  ),
  cancel: ofDeal('cancel', { reason: 'a' }),
  dispute: ofDeal('dispute', { reason: 'a' }),
  requestChanges: ofDeal('request-changes', { reason: 'a' }),
  freelancerAccept: ofOffer('accept'),
  freelancerDecline: ofOffer('decline'),
  freelancerDeliver: ofOffer('deliver'),
  freelancerDispute: ofOffer('dispute', { reason: 'a' }),
  resolve: ofOperator('resolve', () => ({ agreed_amount: '1.00' })),
  operatorCancel: ofOperator('cancel', () => ({ reason: 'a' })),
  retryRefund: ofOperator('retry-refund'),
  writeOff: ofOperator('write-off', () => ({ amount: '0.01', reason: 'a' })),
  refundSurplus: ofOperator('refund-surplus'),
  paid: report('paid', { amount: '0.01' }),
  processing: report('processing'),
  refunded: report('refunded', { amount: '0.01' }),
  refundFailed: report('refund_failed', { amount: '0.01' }),
  async look(about) {
    const path = `/api/2.0/deal/${about.partner_id}/`;
    const { billing } = await about.service.send(partner, 'GET', path);
    const all = (billing as { employer_payments?: { id: string }[] } | undefined)
      ?.employer_payments;
    about.payment_id = all?.at(-1)?.id ?? '';
  },
  runEffects: ({ service }) => service.send(operatorDeals, 'POST', '/operator/run-effects/'),
  runTimers: ({ service }) => service.send(operatorDeals, 'POST', '/operator/run-timers/'),
  advance: ({ service }) =>
    service.send(partner, 'POST', '/api/2.0/sandbox/clock/', { advance_seconds: 1 }),
  async createWebhook(about) {
    about.count += 1;
    const url = `https://93.184.215.14/${about.count}`;
    const made = await about.service.send(partner, 'POST', '/api/2.0/webhook/', { url });
    about.webhook_id = String(made['id'] ?? about.webhook_id);
  },
  deleteWebhook: ofWebhook('DELETE', ''),
  rotate: ofWebhook('POST', 'rotate/'),
  enable: ofWebhook('POST', 'enable/'),
  test: ofWebhook('POST', 'test/'),
};

/** Those about a deal with short terms. */
export const shortMoves = Object.keys(moves).filter(
  (name) => !/Proposal|Words|Long|^(?:offerPropose|message|settle|split|move|price)$/.test(name),
);
