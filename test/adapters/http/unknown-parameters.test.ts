import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import type { Route } from '../../../adapters/http/wire/route.js';
import { asAcme, askBy, asOffer, asOperator, createFaces } from './faces-service.js';
import { dealV2 } from './service.js';

const lists = allRoutes().filter(({ input }) => input === 'query');

const listDeals = lists.find(({ operation }) => operation === 'listDeals') as Route;

interface Issue {
  readonly path: readonly string[];
  readonly code: string;
}

const parametersOf = ({ by, members }: Route): readonly string[] => [
  ...(by === 'partner_id_parameter' ? ['partner_id'] : []),
  ...Object.keys(members),
];

/** A service with a deal, and a request of each of its lists. */
async function withDeal() {
  const handler = createFaces();
  const { get, post } = askBy(() => handler);
  const made = await post('/api/2.0/deal/', asAcme, dealV2);
  const { payment_token } = made.json.data;
  const webhook = await post('/api/2.0/webhook/', asAcme, { url: 'https://example.com/' });
  const ids = { partner: 'acme', partner_id: dealV2.partner_id, webhook_id: webhook.json.data?.id };
  const headers = { partner: asAcme, operator: asOperator, freelancer: asOffer(payment_token) };
  return (route: Route, query: string) => {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => String(Reflect.get(ids, name)));
    const byId = route.by === 'partner_id_parameter' ? `partner_id=${dealV2.partner_id}&` : '';
    const byPartner = 'partner' in route.members ? 'partner=acme&' : '';
    const byText = 'text' in route.members ? 'text=deal&' : '';
    return get(`${path}?${byId}${byPartner}${byText}${query}`, Reflect.get(headers, route.face));
  };
}

describe('a parameter of a list that is not known', () => {
  it('is refused by each list of 2.0 and of the operator, with what there is', async () => {
    const ask = await withDeal();
    const names = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), names, async (route, name) => {
        const allowed = parametersOf(route);
        fc.pre(!allowed.includes(name));
        const { status, json } = await ask(route, `${encodeURIComponent(name)}=1`);
        if (route.version === '1.0') {
          expect([route.operation, status]).toEqual([route.operation, 200]);
          return;
        }
        expect([route.operation, status]).toEqual([route.operation, 400]);
        expect(json.code).toBe('validation_failed');
        expect(json.errors).toEqual([
          {
            path: [[...name].slice(0, 64).join('')],
            code: 'unknown_parameter',
            message: `must be one of: ${allowed.join(', ')}`,
            params: { allowed },
          },
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused together with all other mistakes', async () => {
    const ask = await withDeal();
    const { status, json } = await ask(listDeals, 'page_size=0&statos=closed');
    expect(status).toBe(400);
    expect(json.errors.map(({ path, code }: Issue) => [...path, code])).toEqual([
      ['page_size', 'out_of_range'],
      ['statos', 'unknown_parameter'],
    ]);
  });

  it('is not one of those that a list has', async () => {
    const ask = await withDeal();
    for (const route of lists) {
      for (const name of parametersOf(route)) {
        const { json } = await ask(route, `${name}=1`);
        const codes = (json.errors ?? []).map(({ code }: { code: string }) => code);
        expect([route.operation, name, codes]).not.toContain('unknown_parameter');
        expect(codes).not.toContain('unknown_parameter');
      }
    }
  });

  it('is listed ten times at most, and once for each name', async () => {
    const ask = await withDeal();
    const [route] = lists.filter(({ version }) => version === '2.0');
    if (route === undefined) throw new Error('no list');
    const many = Array.from({ length: 30 }, (_, at) => `x${at >> 1}=1`).join('&');
    const { json } = await ask(route, many);
    expect(json.errors.map(({ path }: { path: string[] }) => path[0])).toEqual(
      Array.from({ length: 10 }, (_, at) => `x${at}`),
    );
  });
});
