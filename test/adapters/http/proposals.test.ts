import type { Handler } from 'dealwright/http';
import { beforeEach, describe, expect, test } from 'vitest';
import { asAcme, askBy, asOffer, asOperator, createFaces } from './faces-service.js';
import { dealV2 } from './service.js';

const { partner_id } = dealV2;
const ofDeal = `/api/2.0/deal/${partner_id}/`;
const offer = '/api/2.0/offer/';
const operator = `/operator/acme/deal/${partner_id}/`;
const sandbox = `/api/2.0/sandbox/deal/${partner_id}/`;
const amendment = { kind: 'amendment', changes: { amount: '600.00' }, message: 'Two more pages.' };
const settlement = { kind: 'settlement', changes: { agreed_amount: '300.00' } };

let service: Handler;
let asFreelancer: Record<string, string>;
beforeEach(async () => {
  service = createFaces();
  const created = await post('/api/2.0/deal/', asAcme, dealV2);
  asFreelancer = asOffer(created.json.data.payment_token);
  await post(`${offer}accept/`, asFreelancer);
});
const { get, post } = askBy(() => service);

describe('a proposal', () => {
  test('of the freelancer is accepted by the partner, with exactly its terms', async () => {
    const made = await post(`${offer}proposal/`, asFreelancer, amendment);
    expect([made.status, Object.keys(made.json)]).toEqual([201, ['data']]);
    const { gross, fee, net, ...proposal } = made.json.data;
    expect([gross, fee, net]).toEqual(['600.00', '0.00', '600.00']);
    const { id, terms_sha256 } = proposal;
    const { proposal: open } = (await get(ofDeal, asAcme)).json.data;
    expect(open).toEqual(proposal);
    expect((await get(operator, asOperator)).json.data.proposal).toEqual(proposal);
    expect((await get(offer, asFreelancer)).json.data.proposal).toEqual(made.json.data);
    const accept = (body: object) => post(`${ofDeal}proposal/${id}/accept/`, asAcme, body);
    const other = await accept({ terms_sha256: '0'.repeat(64) });
    expect([other.status, other.json.reason]).toEqual([409, 'terms_changed']);
    const accepted = await accept({ terms_sha256 });
    expect([accepted.status, accepted.json.data.status]).toEqual([200, 'accepted']);
    expect((await accept({ terms_sha256: '0'.repeat(64) })).status).toBe(200);
    const deal = (await get(ofDeal, asAcme)).json.data;
    expect(deal).toMatchObject({
      amount: '600.00',
      terms_version: 2,
      terms_sha256,
      proposal: null,
    });
  });

  test.each([
    ['the partner', () => [`${ofDeal}proposal/`, asAcme] as const],
    ['the freelancer', () => [`${offer}proposal/`, asFreelancer] as const],
    ['the operator', () => [`${operator}proposal/`, asOperator] as const],
    [
      'the partner by a parameter',
      () => [`/api/2.0/deal/by-id/proposal/?partner_id=${partner_id}`, asAcme] as const,
    ],
  ])('is in the list of %s, the newest first', async (_, place) => {
    for (const amount of ['600.00', '700.00', '800.00']) {
      await post(`${offer}proposal/`, asFreelancer, { ...amendment, changes: { amount } });
    }
    const [path, headers] = place();
    const withSize = `${path}${path.includes('?') ? '&' : '?'}page_size=2`;
    const { results, next, previous } = (await get(withSize, headers)).json.data;
    const amounts = (list: { terms: { amount: string } }[]) =>
      list.map(({ terms }) => terms.amount);
    expect([amounts(results), previous]).toEqual([['800.00', '700.00'], null]);
    const last = (await get(`${withSize}&cursor=${encodeURIComponent(next)}`, headers)).json.data;
    expect([amounts(last.results), last.next]).toEqual([['600.00'], null]);
    const one = path.replace('proposal/', `proposal/${results[1].id}/`);
    expect((await get(one, headers)).json.data).toEqual({ ...results[1], status: 'superseded' });
  });

  test('under the same key is the same, and another one without it', async () => {
    const once = { ...asFreelancer, 'idempotency-key': 'once' };
    const [first, again] = [
      await post(`${offer}proposal/`, once, amendment),
      await post(`${offer}proposal/`, once, amendment),
    ];
    expect(again.json).toEqual(first.json);
    expect((await post(`${offer}proposal/`, once, settlement)).status).toBe(422);
    const another = await post(`${offer}proposal/`, asFreelancer, amendment);
    expect(another.json.data.supersedes).toBe(first.json.data.id);
  });

  test('that is closed says what became of it', async () => {
    const { id } = (await post(`${offer}proposal/`, asFreelancer, amendment)).json.data;
    const withdrawn = await post(`${offer}proposal/${id}/withdraw/`, asFreelancer);
    expect(withdrawn.json.data.status).toBe('withdrawn');
    const { status, json } = await post(`${ofDeal}proposal/${id}/reject/`, asAcme);
    expect([status, json.code, json.proposal_status]).toEqual([
      409,
      'illegal_transition',
      'withdrawn',
    ]);
    expect(json.legal).toContain('add-bonus');
    expect(json.legal).not.toContain('propose');
  });

  test('is not there, as its deal may not be', async () => {
    const none = '01KDVE0000000000000000000F';
    const missing = await get(`${ofDeal}proposal/${none}/`, asAcme);
    expect([missing.status, missing.json.resource]).toEqual([404, 'proposal']);
    const decided = await post(`${ofDeal}proposal/${none}/reject/`, asAcme);
    expect([decided.status, decided.json.resource]).toEqual([404, 'proposal']);
    const nowhere = await get('/api/2.0/deal/nowhere/proposal/', asAcme);
    expect([nowhere.status, nowhere.json.resource]).toEqual([404, 'deal']);
  });

  test('has every problem of its changes told, with the path from the root of the body', async () => {
    const stages = [{ id: 1, budget: 'x' }, { name: '' }];
    const { status, json } = await post(`${ofDeal}proposal/`, asAcme, {
      kind: 'amendment',
      changes: { currency: 'EUR', stages },
    });
    expect(status).toBe(400);
    expect(json.errors.map(({ path }: { path: string[] }) => path.join('.')).sort()).toEqual([
      ...['changes.currency', 'changes.stages.0.budget', 'changes.stages.1.budget'],
      'changes.stages.1.name',
    ]);
  });
});

describe('an operator', () => {
  test.each(['proposal/', 'proposal/01KDVE0000000000000000000F/', 'terms/'])(
    'reads %s alone',
    async (path) => {
      const { status, headers } = await post(`${operator}${path}`, asOperator, amendment);
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );

  test('decides nothing', async () => {
    const path = `${operator}proposal/01KDVE0000000000000000000F/accept/`;
    expect((await post(path, asOperator, amendment)).status).toBe(404);
  });
});

describe('the sandbox', () => {
  test('proposes and decides for either side', async () => {
    const made = await post(`${sandbox}freelancer/proposal/`, asAcme, amendment);
    expect([made.status, made.json.data.by]).toEqual([201, 'freelancer']);
    const path = `${sandbox}partner/proposal/${made.json.data.id}/reject/`;
    expect((await post(path, asAcme)).json.data.status).toBe('rejected');
    const bonus = await post(`${sandbox}partner/add-bonus/`, asAcme, { amount: '5.00' });
    expect(bonus.json.data.amount).toBe('505.00');
  });

  test.each([
    'operator/proposal/',
    'nobody/proposal/',
    'freelancer/proposal/01KDVE0000000000000000000F/expire/',
    'freelancer/proposal/01KDVE0000000000000000000F/constructor/',
    'freelancer/expire-proposal/',
    'freelancer/propose/',
    'freelancer/add-bonus/',
  ])('has no %s', async (path) => {
    expect((await post(`${sandbox}${path}`, asAcme, amendment)).status).toBe(404);
  });
});

describe('the terms', () => {
  test('are listed from the first version on, for every face', async () => {
    await post(`${ofDeal}add-bonus/`, asAcme, { amount: '50.00', message: 'For the cover.' });
    for (const [path, headers] of [
      [ofDeal, asAcme],
      [offer, asFreelancer],
      [operator, asOperator],
    ] as const) {
      const { results } = (await get(`${path}terms/`, headers)).json.data;
      expect(results).toMatchObject([
        { terms_version: 1, kind: 'creation', terms: { amount: '500.00' } },
        { terms_version: 2, kind: 'bonus', terms: { amount: '550.00' } },
      ]);
    }
    const { terms_version, terms_sha256 } = (await get(offer, asFreelancer)).json.data;
    const [, last] = (await get(`${offer}terms/`, asFreelancer)).json.data.results;
    expect([terms_version, terms_sha256]).toEqual([2, last.terms_sha256]);
  });

  test('of another list have no page here', async () => {
    await post(`${ofDeal}add-bonus/`, asAcme, { amount: '50.00' });
    const { next } = (await get(`${ofDeal}terms/?page_size=1`, asAcme)).json.data;
    const other = await get(`${ofDeal}proposal/?cursor=${encodeURIComponent(next)}`, asAcme);
    expect([other.status, other.json.code]).toEqual([400, 'invalid_cursor']);
  });
});
