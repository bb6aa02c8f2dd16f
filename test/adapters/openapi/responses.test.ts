import type { HttpResponse } from 'dealwright/http';
import { createRelay } from 'dealwright/relay';
import { beforeAll, describe, expect, it } from 'vitest';
import { statuses } from '../../../adapters/http/wire/problem.js';
import { commonErrors, type Route } from '../../../adapters/http/wire/route.js';
import { type CheckResponse, createResponseCheck } from '../../kit/open-api.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { closeStages } from '../../kit/stored.js';
import { inputOf, lead, targetOf } from './command-steps.js';
import {
  acme,
  common,
  createTourService,
  createWitness,
  failingPorts,
  ofBodies,
  type Place,
  routes,
  type Sent,
} from './response-tour.js';

const file = { name: 'draft.txt', content: 'T25jZQ==' };
const url = 'https://example.com/deals';
const bodies: Readonly<Record<string, object>> = {
  registerContractor: contractor,
  createDeal: deal,
  createDealV2: dealV2,
  sandboxAdvanceClock: { advance_seconds: 1 },
  createWebhook: { url },
  redeliverAll: { since: '2026-01-01T00:00:00Z' },
  operatorRedeliverAll: { since: '2026-01-01T00:00:00Z' },
};
const bodyOf = ({ name, input }: Route): object => (input === 'file' ? file : (bodies[name] ?? {}));
/** The address of a list, to which parameters can be added. */
const listOf = (route: Route, place: Place): string => {
  const target = targetOf(route, place.partner_id, place);
  const named = [
    ...('partner' in route.members ? ['partner=acme'] : []),
    ...('text' in route.members ? ['text=deal'] : []),
  ];
  return `${target}${target.includes('?') ? '&' : '?'}${named.join('&')}`;
};
const isAboutProposals = ({ path, method }: Route): boolean =>
  path.includes('/proposal/') && method === 'POST';
const isCreateOrUpload = (route: Route): boolean =>
  route.status === 201 && route.keyed && !isAboutProposals(route);
const routeOf = (name: string): Route => routes.find((each) => each.name === name) as Route;

describe('a foreign validator finds no fault', () => {
  const service = createTourService();
  const { marketplace, ports, ask } = service;
  const partner = marketplace.partner(acme);
  let witness: Awaited<ReturnType<typeof createWitness>>;
  beforeAll(async () => {
    witness = await createWitness(service);
  });

  const give = async (route: Route, place: Place, sent: Sent = {}) =>
    witness.hold(route.name, await ask(route, place, { body: bodyOf(route), ...sent }));
  const createOffer = async (partner_id: string): Promise<Place> => {
    const { payment_token } = (
      await partner.createDealV2({ ...dealV2, partner_id })
    )._unsafeUnwrap();
    return { partner_id, payment_token };
  };

  it('in what creates and uploads', async () => {
    for (const route of routes.filter(isCreateOrUpload)) {
      const { name, input } = route;
      const isOffer = route.face === 'freelancer' || route.version === '2.0';
      // the only deal of version 1.0 that is read by its id
      const place = isOffer && input === 'file' ? await createOffer(`of ${name}`) : deal;
      const headers = { 'idempotency-key': `of-${name}` };
      expect(await give(route, place, { headers })).toBe('201');
      for (const [code, sent] of ofBodies) expect(await give(route, place, sent)).toBe(code);
      const body = { ...bodyOf(route), name: 'Other', title: 'Other' };
      const again = await give(route, place, { headers, body });
      expect(again).toBe('idempotency_key_reused');
      if (input === 'file') await closeStages(ports.store, acme, place.partner_id);
      expect(await give(route, place)).toMatch(/^(contractor|deal)_exists|precondition_failed$/);
    }
  });

  it('in what reads', async () => {
    const place = await createOffer('to read');
    const { id } = (
      await partner.uploadFile({ partner_id: place.partner_id }, file)
    )._unsafeUnwrap();
    const webhook = (await partner.createWebhook({ url }))._unsafeUnwrap();
    const offer = marketplace.freelancer('sandbox', place.payment_token ?? '');
    const changes = { title: 'Other' };
    const proposal = (await offer.propose({ kind: 'amendment', changes }))._unsafeUnwrap();
    const here = { ...place, file_id: id, webhook_id: webhook.id, proposal_id: proposal.id };
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const list = listOf(route, here);
      const sent = route.face === 'operator' && route.input === 'query' ? { target: list } : {};
      expect([route.name, await give(route, here, sent)]).toEqual([route.name, '200']);
      const head = await ask(route, here, { ...sent, method: 'HEAD' });
      expect([route.name, head.status, head.body]).toEqual([route.name, 200, undefined]);
      if (route.answer === 'file') {
        const etag = head.headers['etag'] ?? '';
        for (const [code, headers] of [
          ['206', { range: 'bytes=1-2' }],
          ['304', { 'if-none-match': etag }],
          ['range_not_satisfiable', { range: 'bytes=4-' }],
        ] as const) {
          expect(await give(route, here, { headers })).toBe(code);
        }
        expect(await give(route, { ...place, file_id: 'other' })).toBe('not_found');
      }
      if (route.input !== 'query') continue;
      const cursor = ['after', 'cursor'].find((name) => name in route.members);
      for (const [code, query] of [
        ['200', 'page_size=1'],
        ['validation_failed', 'page_size=0'],
        ...(cursor === undefined ? [] : [['invalid_cursor', `${cursor}=x`] as const]),
      ] as const) {
        const target = `${list}&${query}`;
        expect([route.name, await give(route, here, { target })]).toEqual([route.name, code]);
      }
    }
  });

  it('in what is done with webhooks', async () => {
    const create = routeOf('createWebhook');
    expect(await give(create, deal)).toBe('201');
    for (const [code, sent] of ofBodies) {
      if (code !== 'invalid_idempotency_key') expect(await give(create, deal, sent)).toBe(code);
    }
    const { id } = (await partner.createWebhook({ url }))._unsafeUnwrap();
    const relay = createRelay(marketplace).relayWebhooks();
    (await partner.createDealV2({ ...dealV2, partner_id: 'to deliver' }))._unsafeUnwrap();
    const listed = async () => (await partner.listDeliveries(id))._unsafeUnwrap().results;
    await expect.poll(listed).toHaveLength(1);
    const delivered = await listed();
    await relay.stop();
    const here = { ...deal, webhook_id: id, delivery_id: delivered[0]?.id ?? '' };
    const ofWebhook = routes.filter(
      ({ path, method }) => path.includes('{webhook_id}') && method !== 'GET',
    );
    // the route that deletes it comes last
    const byMethod = (a: Route, b: Route) => b.method.localeCompare(a.method);
    for (const route of [...ofWebhook].sort(byMethod)) {
      expect([route.name, await give(route, here)]).toEqual([route.name, '200']);
      expect(await give(route, { ...here, webhook_id: id.replace(/.$/, 'x') })).toBe('not_found');
      if (!('cursor' in route.members)) continue;
      const body = { ...bodyOf(route), cursor: 'x' };
      expect([route.name, await give(route, here, { body })]).toEqual([
        route.name,
        'invalid_cursor',
      ]);
    }
    for (const route of ofWebhook) expect(await give(route, here)).toBe('not_found');
  });

  it('in what is done with reports that match no payment', async () => {
    const operator = marketplace.operator('sandbox');
    const paid = { status: 'paid', amount: '1.00', reference: 'bank-1' } as const;
    await operator.partner(acme.partner).recordEmployerPayment('nowhere', paid);
    const [report] = (await operator.listUnmatchedReports())._unsafeUnwrap().results;
    const dismiss = routeOf('operatorDismissReport');
    expect(await give(dismiss, { ...deal, report_id: report?.id ?? '' })).toBe('200');
    expect(await give(dismiss, deal)).toBe('not_found');
  });

  it('in the answers to commands', async () => {
    const declined = await createOffer('declined');
    const cancelled = await createOffer('cancelled');
    const disputed = await createOffer('disputed');
    await lead(marketplace, 'operatorResolve', 'disputed');
    await marketplace.sandbox(acme).command('declined', 'freelancer', 'decline');
    await marketplace.sandbox(acme).command('cancelled', 'operator', 'cancel', { reason: 'r' });
    for (const route of routes.filter(({ command }) => command !== undefined)) {
      const { name, face, command = '' } = route;
      // an identifier has at most 40 characters
      const partner_id = name.slice(-40);
      let place: Place = { partner_id };
      if (face === 'freelancer') place = await createOffer(partner_id);
      else (await partner.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
      const payment_id = await lead(marketplace, name.replace('ByParameter', ''), partner_id);
      const { input, other, guarded } = inputOf(name.replace('ByParameter', ''), payment_id);
      expect([name, await give(route, place, { body: guarded })]).toEqual([
        name,
        'precondition_failed',
      ]);
      const headers = { 'idempotency-key': 'once' };
      expect([name, await give(route, place, { headers, body: input })]).toEqual([name, '200']);
      expect(await give(route, place, { headers, body: other })).toBe('idempotency_key_reused');
      for (const [code, sent] of ofBodies) {
        expect([name, await give(route, place, { body: '{}', ...sent })]).toEqual([name, code]);
      }
      const isOfMoney = /^re(try|fund)-/.test(command);
      const ended = (isOfMoney && disputed) || (command === 'decline' ? cancelled : declined);
      expect([name, await give(route, ended, { body: input })]).toEqual([
        name,
        'illegal_transition',
      ]);
    }
  });

  it('in what is done with proposals', async () => {
    const sandbox = marketplace.sandbox(acme);
    const ended = await createOffer('ended');
    await sandbox.command('ended', 'freelancer', 'decline');
    for (const route of routes.filter(isAboutProposals)) {
      const { name, face, operation } = route;
      const place = await createOffer(name.slice(-40));
      const { partner_id } = place;
      (await sandbox.command(partner_id, 'freelancer', 'accept'))._unsafeUnwrap();
      const isOfPartner = (face === 'partner') === (operation !== 'withdrawProposal');
      const propose = async (title: string) =>
        (
          await sandbox.propose(partner_id, isOfPartner ? 'freelancer' : 'partner', {
            kind: 'amendment',
            changes: { title },
          })
        )._unsafeUnwrap();
      const { id: proposal_id, terms_sha256 } = await propose('Other');
      const isNew = operation === 'propose';
      const input = isNew ? { kind: 'amendment', changes: { title: 'More' } } : { terms_sha256 };
      const refused = isNew
        ? { kind: 'amendment', changes: { title: dealV2.title } }
        : { terms_sha256: '0'.repeat(64) };
      const here = { ...place, proposal_id };
      if (route.errors.includes('precondition_failed')) {
        expect([name, await give(route, here, { body: refused })]).toEqual([
          name,
          'precondition_failed',
        ]);
      }
      const headers = { 'idempotency-key': 'once' };
      const given = await give(route, here, { headers, body: input });
      expect([name, given]).toEqual([name, String(route.status)]);
      const other = { ...input, message: 'Other.' };
      expect(await give(route, here, { headers, body: other })).toBe('idempotency_key_reused');
      for (const [code, sent] of ofBodies) {
        const body = code === 'validation_failed' ? { body: { message: '' } } : {};
        expect([name, await give(route, here, { body: '{}', ...sent, ...body })]).toEqual([
          name,
          code,
        ]);
      }
      const closed = await propose('Again');
      await propose('Once more');
      const gone = isNew ? ended : { ...place, proposal_id: closed.id };
      expect([name, await give(route, gone, { body: input })]).toEqual([
        name,
        'illegal_transition',
      ]);
    }
  });

  it('in the answers to what takes no key', async () => {
    const { id: webhook_id } = (await partner.createWebhook({ url }))._unsafeUnwrap();
    const here = { ...deal, webhook_id };
    for (const route of routes.filter(({ input, keyed }) => input === 'command' && !keyed)) {
      const { name, members } = route;
      expect([name, await give(route, here)]).toEqual([name, '200']);
      for (const [code, sent] of ofBodies) {
        if (code === 'invalid_idempotency_key') continue;
        const isEmpty = Object.keys(members).length === 0;
        const deep = isEmpty && code === 'validation_failed' ? { body: '['.repeat(65) } : {};
        expect([name, await give(route, here, { ...sent, ...deep })]).toEqual([name, code]);
      }
    }
  });

  it.each(common)('in %s of every route', async (code, options, sent) => {
    const refusing = createTourService(options, failingPorts(code));
    const created = refusing.marketplace.partner(acme).createDealV2(dealV2);
    const place = { partner_id: 'x', ...(await created)._unsafeUnwrap() };
    for (const route of routes) {
      for (const accept of ['application/json', 'application/problem+json']) {
        const response = await refusing.ask(route, place, {
          body: bodyOf(route),
          ...sent,
          headers: { accept },
        });
        expect(response.headers['content-type']).toBe(accept);
        expect([route.name, witness.hold(route.name, response)]).toEqual([route.name, code]);
      }
    }
  });

  it('and met every status and every code of the table', () => {
    const { seen } = witness;
    for (const route of routes) {
      const { name, status, errors, answer } = route;
      const ofFile = answer === 'file' ? ['206', '304'] : [];
      const expected = [String(status), ...ofFile, ...errors, ...commonErrors];
      const distinct = [...new Set(expected)].sort();
      expect([name, [...(seen.get(name) ?? [])].sort()]).toEqual([name, distinct]);
    }
    // and 200, 201, 206 and 304
    expect(new Set([...seen.values()].flatMap((codes) => [...codes])).size).toBe(
      Object.keys(statuses).length + 4,
    );
  });
});

describe('a response that breaks the document is found', () => {
  const service = createTourService();
  const createDealV2 = routeOf('createDealV2');
  let check: CheckResponse;
  let response: HttpResponse;
  beforeAll(async () => {
    check = await createResponseCheck(service.handler);
    response = await service.ask(createDealV2, dealV2, { body: dealV2 });
    expect(check('createDealV2', response)).toEqual([]);
  });

  const data = (change: object): Partial<HttpResponse> => ({
    body: JSON.stringify({
      data: {
        payment_token: 'Zk3v9QpX7mT2wL8nR5yB1c',
        status: 'created',
        freelancer_status: 'new',
        ...change,
      },
    }),
  });

  it.each<readonly [string, Partial<HttpResponse>]>([
    ['a status that is not told of', { status: 418 }],
    ['a status of its own that goes by another', { status: 409 }],
    ['a member that is missing', data({ status: undefined })],
    ['a member of another type', data({ payment_token: 1 })],
    ['a value that is not one of the set', data({ status: 'lost' })],
    ['a token that is too short', data({ payment_token: 'short' })],
    ['a member that is not told of', data({ partner_id: 'one' })],
    ['an answer without its envelope', { body: '[]' }],
    ['another content type', { headers: { 'content-type': 'text/html', 'x-request-id': 'r' } }],
    [
      'a header that is not told of',
      { headers: { 'content-type': 'application/json', 'x-request-id': 'r', 'retry-after': '1' } },
    ],
    ['a header that is missing', { headers: { 'content-type': 'application/json' } }],
  ])('%s', (_, change) => {
    expect(check('createDealV2', { ...response, ...change })).not.toEqual([]);
  });

  it('an error of another code than its status stands for', async () => {
    const refused = await service.ask(createDealV2, dealV2, { without: 'authorization' });
    expect(check('createDealV2', refused)).toEqual([]);
    const body = String(refused.body).replace('"code":"unauthorized"', '"code":"not_found"');
    expect(check('createDealV2', { ...refused, body })).not.toEqual([]);
  });
});
