import { idempotencyKey, malformedIdempotencyKey } from 'dealwright/spec';
import fc from 'fast-check';
import type { Route } from '../../adapters/http/wire/route.js';
import { marker } from './bodies.js';
import type { World } from './world.js';

/** The credentials of a route, and sometimes others. */
export const authorization = (world: World, { face }: Route): fc.Arbitrary<string | undefined> => {
  const ofPartner = fc.constant(`Token ${world.token}`);
  const own = {
    partner: ofPartner,
    sandbox: ofPartner,
    freelancer: fc.constantFrom(...world.offers).map((token) => `Offer ${token}`),
    operator: fc.constant(`Operator ${world.operatorToken}`),
  }[face];
  const others = fc.constantFrom(
    `token  ${world.token}`,
    `Token ${world.strangerToken}`,
    `operator  ${world.operatorToken}`,
    ...world.offers.flatMap((token) => [`Offer ${token}`, `Token ${token}`, `Operator ${token}`]),
  );
  const scheme = own.map((text) => text.split(' ')[0] ?? '');
  const wrong = fc.constantFrom(
    '',
    ' ',
    ` ${marker}`,
    ` ${world.token} x`,
    ` ${'x'.repeat(5000)}`,
    ' ł',
  );
  return fc.oneof(
    { weight: 14, arbitrary: own },
    { weight: 1, arbitrary: others },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom(undefined, '', `Bearer ${world.token}`),
        fc.tuple(scheme, wrong).map(([word, rest]) => word + rest),
      ),
    },
  );
};

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });

export const odds = fc.record(
  {
    'accept-language': fc.oneof(
      fc.constantFrom('pl', 'en', 'pl;q=0.5, en;q=0.4', '*', 'pl-PL', ',,;q=;', 'pl;q=NaN'),
      ascii,
    ),
    accept: fc.oneof(
      fc.constantFrom('application/problem+json', '*/*', 'application/problem+json;q=0', marker),
      ascii,
    ),
    'x-request-id': fc.oneof(
      fc.constantFrom('sane-1', '', 'x'.repeat(129), 'a b', '<b>', 'ł'),
      ascii,
    ),
    origin: fc.constantFrom('https://app.example.com', 'null', marker),
    'x-forwarded-for': ascii,
    cookie: fc.oneof(
      { weight: 30, arbitrary: fc.constant(marker) },
      { weight: 1, arbitrary: fc.constant(marker.repeat(1000)) },
    ),
  },
  { requiredKeys: [] },
);

/** One range, or an invalid one. */
const range = fc.oneof(
  fc.constantFrom('bytes=0-0', 'bytes=1-', 'bytes=-2', 'bytes=4-', 'bytes=0-1,3-3', 'bytes=3-1'),
  fc.constantFrom('bytes=-', 'items=0-1', `bytes=${'9'.repeat(400)}-`, 'bytes=-0', marker),
);

/** The headers of a download. */
export const ofFiles = fc.oneof(
  fc.record({ range }),
  fc.record(
    {
      range,
      'if-range': fc.constantFrom('"x"', marker),
      'if-none-match': fc.constantFrom('*', '"x"', marker),
    },
    { requiredKeys: [] },
  ),
);

/** Headers that most requests do not have. */
export const rareHeaders = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 6,
    arbitrary: fc
      .oneof(
        { weight: 4, arbitrary: fc.constantFrom('k', 'l') },
        { weight: 2, arbitrary: idempotencyKey() },
        { weight: 1, arbitrary: malformedIdempotencyKey() },
      )
      .map((key) => ({ 'idempotency-key': key })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('gzip', 'identity', '')
      .map((encoding) => ({ 'content-encoding': encoding })),
  },
);

export const types = fc.constantFrom(
  undefined,
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  marker,
  `application/json; x=${'y'.repeat(3000)}`,
);
