import { describe, expect, it } from 'vitest';
import { asAcme, askBy, asOffer, asOperator, createFaces } from './faces-service.js';
import { dealV2 } from './service.js';

const handler = createFaces();
const { get, post } = askBy(() => handler);
const none = '01KDVE0000000000000000000A';

describe('a 404', async () => {
  const { json: made } = await post('/api/2.0/deal/', asAcme, dealV2);
  const token = made.data.payment_token;
  const own = `/api/2.0/deal/${dealV2.partner_id}/`;
  const ofOther = { ...asAcme, authorization: 'Token token-of-other' };
  it.each([
    ['no deal', '/api/2.0/deal/nowhere/', asAcme, 'deal'],
    ["somebody else's deal", own, ofOther, 'deal'],
    ['no deal of a partner', '/operator/acme/deal/nowhere/', asOperator, 'deal'],
    ['a deal of nobody', '/operator/nobody/deal/nowhere/', asOperator, 'deal'],
    ['a partner that cannot be', '/operator/%00/deal/nowhere/', asOperator, 'partner'],
    ['no file', `${own}file/${none}/`, asAcme, 'work_file'],
    ['a file of no deal', `/api/2.0/deal/nowhere/file/${none}/`, asAcme, 'deal'],
    ['no file of an offer', `/api/2.0/offer/file/${none}/`, asOffer(token), 'work_file'],
    ['no path', '/api/2.0/nothing/', asAcme, 'operation'],
    ['no path of the operator', '/operator/nothing/', asOperator, 'operation'],
    ['no page', '/nothing', {}, 'operation'],
  ])('of %s says what there is not', async (_, path, headers, resource) => {
    const { status, json } = await get(path, headers);
    expect([status, json.code, json.resource]).toEqual([404, 'not_found', resource]);
    const words = resource === 'operation' ? 'operation here' : resource.replace('_', ' ');
    expect(json.detail).toBe(`There is no such ${words}.`);
  });

  it('is the same of a deal of another partner as of none, but for its id', async () => {
    const bodies = [own, '/api/2.0/deal/nowhere/'].map(async (path) => {
      const { json } = await get(path, ofOther);
      const { request_id: _, instance: __, ...said } = json;
      return said;
    });
    const [foreign, nowhere] = await Promise.all(bodies);
    expect(foreign).toEqual(nowhere);
  });

  it('of 1.0 says it in words, with the members that it has had', async () => {
    const { json } = await get(`/api/1.0/deal/${Number.MAX_SAFE_INTEGER}/`, asAcme);
    expect(json.detail).toBe('There is no such deal.');
    expect(Object.keys(json)).toEqual([
      ...['success', 'type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
    ]);
    const polish = await get('/api/1.0/deal/9/', { ...asAcme, 'accept-language': 'pl' });
    expect(polish.json.detail).toBe('Nie ma takiego zlecenia.');
  });
});
