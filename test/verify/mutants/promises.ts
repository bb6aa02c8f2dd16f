import { answering, asking, pathOf, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

type Promises = Record<string, unknown>;

/** Tells other promises than are kept. */
const promising = (
  change: (promises: Promises) => Promises,
  fits: (request: Request) => boolean = () => true,
): Mutant['fetch'] =>
  answering((response, request) =>
    pathOf(request) === '/api/2.0/' && fits(request)
      ? withMembers(response, ({ data }) => ({ data: change({ ...Object(data) }) }))
      : response,
  );

const isOf = (scheme: string) => (request: Request) =>
  request.headers.get('authorization')?.startsWith(`${scheme} `) === true;

export const mutants: readonly Mutant[] = [
  {
    name: 'the mode is missing',
    law: '11.5/promises/members',
    fetch: promising(({ mode: _, ...others }) => others),
  },
  {
    name: 'the versions are a text',
    law: '11.5/promises/members',
    fetch: promising((promises) => ({ ...promises, versions: '1.0, 2.0' })),
  },
  {
    name: 'anyone may read them',
    law: '11.5/promises/token',
    fetch: asking((request) => {
      if (pathOf(request) !== '/api/2.0/') return request;
      const headers = new Headers(request.headers);
      headers.set('authorization', 'Token sandbox-acme');
      return new Request(request, { headers });
    }),
  },
  {
    name: 'an operator is told of another environment',
    law: '11.5/promises/operator',
    fetch: promising((each) => ({ ...each, environment: 'production' }), isOf('Operator')),
  },
  {
    name: 'a freelancer is told less',
    law: '11.5/promises/freelancer',
    fetch: promising(({ takes_fees: _, ...others }) => others, isOf('Offer')),
  },
  {
    name: 'a version that is served is not promised',
    law: '11.5/promises/versions',
    fetch: promising((promises) => ({ ...promises, versions: ['2.0'] })),
  },
  {
    name: 'a copyright transfer that is refused is promised',
    law: '11.5/promises/copyright-transfer',
    fetch: promising((each) => ({ ...each, copyright_transfer: ['full_transfer', 'lent'] })),
  },
  {
    name: 'a language is promised that is refused',
    law: '11.5/promises/freelancer-language',
    fetch: promising((each) => ({ ...each, freelancer_language: ['pl', 'en', 'cs'] })),
  },
  {
    name: 'currencies are promised, and others taken',
    law: '11.5/promises/currencies',
    fetch: promising((promises) => ({ ...promises, currencies: ['PLN', 'EUR'] })),
  },
  {
    name: 'a fee that was not promised',
    law: '11.5/promises/fees',
    fetch: answering((response, request) =>
      /^\/api\/2\.0\/deal\/[^/]+\/$/.test(pathOf(request))
        ? withMembers(response, ({ data }) => {
            const deal = Object(data);
            const billing = { ...deal.billing, employer_fee: '10.00', total: '510.00' };
            return { data: { ...deal, billing } };
          })
        : response,
    ),
  },
  {
    name: 'it asks for money later than it promises',
    law: '11.5/promises/mode',
    fetch: promising((promises) => ({ ...promises, mode: 'prepaid' })),
  },
  {
    name: "it knows the contractors of others, but promises a partner's own",
    law: '11.5/promises/contractor-scope',
    fetch: promising((promises) => ({ ...promises, contractor_scope: 'partner' })),
  },
];
