import { commandsOf, lifecycle } from 'dealwright/life';
import fc from 'fast-check';
import type { Route } from '../../adapters/http/wire/route.js';
import { commandBody, type FuzzBody, formBody, jsonBody, marker } from './bodies.js';
import { authorization, odds, ofFiles, rareHeaders, types } from './headers.js';
import { all } from './rows.js';
import type { Place, World } from './world.js';

/** A request, before any adapter has seen it. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Sizes of the pieces of the body, over and over. */
  readonly pieces: readonly number[];
  /** Over a socket, or to the handler itself. */
  readonly wire: 'none' | 'length' | 'chunked' | 'lying';
}

const segment = fc.oneof(
  fc.constantFrom('0', '-1', '01', '1.0', '1e3', '9007199254740993', '9'.repeat(400), 'by-id', '*'),
  fc.constantFrom('%2F', '%2f..%2f', '%00', '%ff', '%', '%4', '%zz', '..', '.', '%2e%2e', '{id}'),
  fc.constantFrom('__proto__', 'constructor', 'ł', '%C5%82', '%F0%9F%98%80', '%ED%A0%80', '+', ' '),
  fc.constantFrom(marker, ';', '&', '#', '%23', '?', '%3F', `${'x'.repeat(40)}`, 'x'.repeat(5000)),
  fc
    .string({ unit: 'binary', maxLength: 20 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
);

const nearMisses = fc.constantFrom<(path: string) => string>(
  (path) => path.slice(0, -1),
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replace('/deal/', '/deal//'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/operator/', '/operator/deal/'),
  (path) => path.replace('offer/', 'offer'),
  (path) => path.toUpperCase(),
  (path) => path.replace('1.0', '3.0'),
  (path) => path.replace('2.0', '1.0'),
  (path) => path.replace('1.0', '2.0'),
  (path) => `${path}${marker}`,
  (path) => `${path}%2F`,
  (path) => `${path};a=b`,
  (path) => path.replace('deal', 'de%61l'),
  (path) => path.slice(0, 9),
);

const elsewhere = fc.constantFrom(
  '/healthz',
  '/healthz/',
  '/',
  '*',
  '',
  '/api',
  '/api/',
  '//',
  '/..',
  '/openapi.json',
  '/favicon.ico',
  `/${marker}`,
);

/** The commands of the actors of the sandbox. */
const commands = (['partner', 'freelancer', 'operator', 'payments'] as const).flatMap((actor) =>
  commandsOf(lifecycle, actor).map((command) => ({ actor, command })),
);

/** The states of deals in which a command is legal. */
const fitting: Readonly<Record<string, string>> = {
  deliver: 'accepted',
  requestChanges: 'delivered',
  approve: 'delivered',
  dispute: 'delivered',
  resolve: 'disputed',
  requestPayment: 'unpaid',
  writeOff: 'accepted',
  refundSurplus: 'overpaid',
  downloadWorkFile: 'accepted',
  downloadFile: 'begun',
};

/** Any deal, mostly one in a fitting state. */
function placeOf({ operation }: Route, { places }: World): fc.Arbitrary<Place> {
  const fit = places.filter(({ state }) => state === fitting[operation]);
  const any = fc.constantFrom(...places);
  if (fit.length === 0) return any;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fit) }, any);
}

function pathOf(route: Route, world: World): fc.Arbitrary<string> {
  const template = route.path;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const known = placeOf(route, world);
  const filled = fc
    .tuple(known, fc.constantFrom(...commands), segment, fc.integer({ min: 0, max: 8 }))
    .map(([place, given, text, odd]) => {
      const decision = given.actor === 'partner' ? 'accept' : 'reject';
      const values: Readonly<Record<string, string>> = { ...place, ...given, decision };
      // sometimes one of the parts is replaced
      const other = odd < 3 ? names[odd % names.length] : undefined;
      return template.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === other ? text : encodeURIComponent(values[name] ?? ''),
      );
    });
  return fc.oneof(
    { weight: 12, arbitrary: filled },
    { weight: 2, arbitrary: fc.tuple(filled, nearMisses).map(([path, miss]) => miss(path)) },
    { weight: 1, arbitrary: elsewhere },
  );
}

const listValue: Readonly<Record<string, readonly string[]>> = {
  partner: ['acme', 'stranger', '', '%00', 'x'.repeat(129)],
  page_size: ['1', '100', '0', '101', '-1', '1e2', '20.0', 'x', '', '9'.repeat(400)],
  cursor: ['', 'x', marker, 'AAAA', '%00', 'e30'],
  partner_id: ['deal-1', 'x', '', '%00', '%ED%A0%80', 'x'.repeat(41)],
  status: ['created', 'CREATED', '', 'cancelled', '__proto__'],
  freelancer_status: ['new', 'x', ''],
  email_freelancer: ['user@example.com', 'USER@EXAMPLE.COM', 'x', `${marker}@`],
  created_from: [
    '2026-01-01T00:00:00Z',
    '2026-01-01',
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59.999999999+00:00',
    'x',
  ],
  created_to: ['2030-01-01T00:00:00+02:00', '2016-12-31T23:59:60Z', '-1', ''],
};

const parameter = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(...Object.keys(listValue))
      .chain((key) => fc.constantFrom(...(listValue[key] ?? [])).map((value) => `${key}=${value}`)),
  },
  { weight: 1, arbitrary: fc.tuple(segment, segment).map(([key, value]) => `${key}=${value}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '=',
      '&&',
      '%',
      '__proto__=1',
      'partner_id',
      'page_size=1&page_size=2',
    ),
  },
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.array(parameter, { maxLength: 5 }).map((all) => `?${all.join('&')}`) },
);

/** A deal named by a parameter mostly exists. */
function queryOf(route: Route, world: World): fc.Arbitrary<string> {
  const { by, input } = route;
  if (by === 'partner_id_parameter') {
    const known = placeOf(route, world).map(
      ({ partner_id }) => `?${new URLSearchParams({ partner_id })}`,
    );
    const other = segment.map((text) => `?partner_id=${text}`);
    return fc.oneof({ weight: 8, arbitrary: known }, { weight: 2, arbitrary: other }, query);
  }
  // the operator names a partner
  const named = query.map((text) => `${text === '' ? '?' : `${text}&`}partner=acme`);
  if (route.face === 'operator' && input === 'query') {
    return fc.oneof({ weight: 3, arbitrary: named }, query);
  }
  return input === 'query' || input === 'file' ? query : fc.constant('');
}

function bodyOf({ name, input, operation }: Route): fc.Arbitrary<FuzzBody> {
  const nothing = fc.constant<FuzzBody>({ bytes: new Uint8Array(), type: 'application/json' });
  if (input === 'file')
    return fc.oneof(jsonBody(name), { weight: 3, arbitrary: formBody() }, nothing);
  if (input === 'command')
    return fc.oneof({ weight: 9, arbitrary: commandBody(operation) }, formBody(), nothing);
  if (input === 'body')
    return fc.oneof({ weight: 20, arbitrary: jsonBody(operation) }, formBody(), nothing);
  return fc.oneof({ weight: 9, arbitrary: nothing }, jsonBody('createDealV2'));
}

/** Any request, close to one of the rows of the route table. */
export function fuzzRequest(world: World, wirePercent: number): fc.Arbitrary<FuzzRequest> {
  const perRoute = all.map((route) => {
    const { name } = route;
    // routes by a parameter, commands, and routes of a webhook are much alike
    const isAlike =
      route.input === 'command' ||
      name.endsWith('ByParameter') ||
      route.path.includes('{webhook_id}');
    // few requests have a deal, a file and credentials that belong together
    const isRarelyFound = route.input === 'body' || route.answer === 'file';
    const weight = isAlike ? 2 : isRarelyFound ? 12 : 5;
    const arbitrary = fc
      .record({
        method: fc.oneof(
          { weight: 16, arbitrary: fc.constant(route.method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              'GET',
              'POST',
              'HEAD',
              'OPTIONS',
              'PUT',
              'DELETE',
              'PATCH',
              'TRACE',
              'PROPFIND',
              '__proto__',
              'get',
            ),
          },
        ),
        path: pathOf(route, world),
        query: queryOf(route, world),
        token: authorization(world, route),
        body: bodyOf(route),
        type: types,
        more: fc
          .tuple(odds, rareHeaders, route.answer === 'file' ? ofFiles : fc.constant({}))
          .map((both) => Object.assign({}, ...both)),
        pieces: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 4 }),
        wire: fc.oneof(
          { weight: 100 - wirePercent, arbitrary: fc.constant<FuzzRequest['wire']>('none') },
          {
            weight: wirePercent,
            arbitrary: fc.constantFrom<FuzzRequest['wire']>('length', 'chunked', 'lying'),
          },
        ),
        isTyped: fc.integer({ min: 0, max: 12 }),
      })
      .map(({ method, path, query: asked, token, body, type, more, pieces, wire, isTyped }) => {
        const contentType = isTyped > 0 ? body.type : type;
        const headers: Record<string, string> = { ...more };
        if (token !== undefined) headers['authorization'] = token;
        if (contentType !== undefined) headers['content-type'] = contentType;
        return { method, target: path + asked, headers, body: body.bytes, pieces, wire };
      });
    return { weight, arbitrary };
  });
  return fc.oneof(...perRoute);
}
