import {
  brokenInput,
  contractorFields,
  contractorInput,
  dealFields,
  dealInput,
  dealV2Fields,
  dealV2Input,
} from 'dealwright/spec';
import fc from 'fast-check';
import { contractor } from '../kit/requests.js';

/** A text in requests that no refusal may contain. */
export const marker = 'zq7-never-to-be-repeated';

export interface FuzzBody {
  readonly bytes: Uint8Array;
  /** The content type that fits it; `undefined` if there is no body. */
  readonly type: string | undefined;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = 'application/json';
const asJson = (bytes: Uint8Array): FuzzBody => ({ bytes, type: json });
const email = contractor.email;

/** The input of a route, by the name of its row; a row without input gets some all the same. */
const inputs = {
  registerContractor: {
    valid: contractorInput(),
    broken: inputOf(brokenInput(contractorFields())),
  },
  createDeal: { valid: dealInput({ email }), broken: inputOf(brokenInput(dealFields({ email }))) },
  createDealV2: { valid: dealV2Input(), broken: inputOf(brokenInput(dealV2Fields())) },
  propose: { valid: proposal(), broken: proposal(fc.jsonValue()) },
  createWebhook: { valid: webhook(fc.constant('https://93.184.215.14/')), broken: webhook() },
};

function proposal(odd?: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const title = fc.constantFrom('Other', 'Another', 'y'.repeat(200));
  const stage = fc.record({ name: title, budget: fc.constantFrom('1.00', '1000.00') });
  const changes = fc.oneof(
    fc.record({ title }),
    fc.record({ amount: fc.constantFrom('1.00', '600.00') }),
    fc.record({ stages: fc.array(odd ?? stage, { minLength: 1, maxLength: 3 }) }),
    fc.record({ agreed_amount: fc.constantFrom('0.00', '100.00') }),
    fc.record({ title, [`x${marker}`]: odd ?? title }),
  );
  const kind = fc.constantFrom('amendment', 'settlement');
  return fc.record(
    { kind, changes: odd === undefined ? changes : fc.oneof(odd, changes), message: title },
    { requiredKeys: ['kind', 'changes'] },
  );
}

function webhook(urls: fc.Arbitrary<unknown> = fc.jsonValue()): fc.Arbitrary<unknown> {
  const types = fc.array(fc.constantFrom('deal.created', 'own.type'), { minLength: 1 });
  return fc.record({ url: urls, types, ordered: fc.boolean() }, { requiredKeys: ['url'] });
}

function inputOf(broken: ReturnType<typeof brokenInput>): fc.Arbitrary<unknown> {
  return broken.map(({ input }) => input);
}

const base64 = fc
  .oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 2000, maxLength: 2100 }))
  .map((bytes) => Buffer.from(bytes).toString('base64'));

/** Sometimes the second. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: unusual });

const odd = fc.record(
  {
    stage_id: mostly(fc.integer({ min: 1, max: 2 }), fc.jsonValue()),
    name: mostly(fc.constantFrom('a.txt', '../a', '😀'), fc.jsonValue()),
    content_type: mostly(fc.constantFrom('text/plain', 'image/png'), fc.string()),
    content: mostly(base64, fc.constantFrom<unknown>(`=${marker}`, 'A', null, 7)),
  },
  { requiredKeys: ['name', 'content'] },
);
/** A file without a stage is for the only one. */
const file = fc.oneof(odd, fc.record({ name: fc.constant('a.txt'), content: base64 }));

/** The words of a command, mostly valid ones. */
const words = mostly(fc.constantFrom('x', 'Zażółć 😀', 'y'.repeat(2000)), fc.jsonValue());
const remarks = (requiredKeys: readonly ('reason' | 'message')[]) =>
  fc.record(
    { reason: words, message: words, stage_id: mostly(fc.integer({ min: 1, max: 12 }), words) },
    { requiredKeys: [...requiredKeys] },
  );
const command = {
  valid: fc.oneof(fc.constant({}), fc.record({ reason: fc.constant('x') }), remarks(['reason'])),
  broken: fc.oneof(
    remarks([]),
    fc
      .constantFrom('reason', 'message', 'stage_id')
      .chain((name) =>
        fc
          .constantFrom<unknown>('', 'z'.repeat(2001), null, 1.5, [], {}, `${marker}\u0000`)
          .map((value) => ({ reason: 'x', [name]: value })),
      ),
  ),
};

const reportOf = (optional: readonly 'payment_id'[]) =>
  fc.record(
    {
      status: fc.constantFrom(
        'paid',
        'paid',
        'paid',
        'processing',
        'failed',
        'expired',
        'refunded',
        'charged_back',
      ),
      amount: mostly(fc.constantFrom('1.00', '1000.00', '5000.00'), fc.string()),
      reference: fc.constantFrom('r-1', 'r-2', 'r-3', 'r-4', 'r-5'),
      payment_id: mostly(fc.constantFrom('01KDVE0000000000000000000A'), fc.string()),
    },
    { requiredKeys: ['status', 'reference', 'amount', ...optional] },
  );
const report = fc.oneof(
  { weight: 3, arbitrary: reportOf([]).map(({ payment_id: _, ...money }) => money) },
  reportOf(['payment_id']),
);
const consent = fc.record({ terms_sha256: fc.constantFrom('0'.repeat(64), 'x') });
/** Further members of some commands, by their operations. */
const own: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  resolve: fc.record({ agreed_amount: fc.constantFrom('0.00', '1.00', '1000.00', '9999.00') }),
  recordEmployerPayment: report,
  recordContractorPayment: report,
  retryPayout: fc.constantFrom<unknown>({}, { payment_id: 'x' }),
  retryRefund: fc.constantFrom<unknown>({}, { payment_id: 'x' }),
  writeOff: fc.record({
    amount: fc.constantFrom('0.01', '1.00', '9999.00'),
    reason: fc.constant('a'),
  }),
  acceptProposal: consent,
  rejectProposal: fc.record({ message: words }),
  withdrawProposal: fc.constant({}),
  decideProposal: consent,
  addBonus: fc.record({ amount: fc.constantFrom('1.00', '0.00') }),
  requestChanges: fc.record({ reason: words }),
  dispute: fc.record({ reason: words }),
  cancel: fc.record({ reason: fc.constantFrom('x', 'y') }),
  advanceClock: fc.record({ advance_seconds: fc.integer({ min: 0, max: 60 }) }),
  command: fc.oneof(report, command.valid),
};

/** Values that often cause mistakes. */
const oddities = fc.constantFrom(
  ...[
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '1e400',
    '-0',
    '9'.repeat(5000),
    `"${marker}"`,
    '"\\ud800"',
  ],
  ...['{"__proto__":{"email":"x"}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":1,"a":2}'],
  ...['[', '{"a":', '{"a":1}{}', "{'a':1}", '\u2028', 'NaN', '{"email":"\\u0000"}', ''],
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{"name":"${marker.repeat(3000)}"}`,
);

/** Bytes of a text in a wrong encoding or shape. */
const spoiled = (text: string): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.constant(encode(`\ufeff${text}`)),
    fc.constant(Buffer.from(text, 'utf16le')),
    fc.constant(Buffer.from(`\ufeff${text}`, 'utf16le')),
    fc.constant(Buffer.from(text, 'latin1')),
    fc.nat(text.length).map((length) => encode(text.slice(0, length))),
    fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([at, bytes]) => {
      const whole = Uint8Array.from(encode(text));
      if (whole.length > 0) whole.set(bytes.subarray(0, 1), at % whole.length);
      return whole;
    }),
  );

type Inputs = { readonly valid: fc.Arbitrary<unknown>; readonly broken: fc.Arbitrary<unknown> };

/** A JSON body, mostly close to the input of the route. */
export function jsonBody(name: string): fc.Arbitrary<FuzzBody> {
  return jsonLike(Object.entries(inputs).find(([key]) => key === name)?.[1]);
}

/** The body of a command, or none; most deals are past most commands. */
export function commandBody(operation: string): fc.Arbitrary<FuzzBody> {
  const nothing = fc.constant<FuzzBody>({ bytes: new Uint8Array(), type: undefined });
  const taken = own[operation] ?? command.valid;
  const valid = taken.map((input) => asJson(encode(JSON.stringify(input))));
  return fc.oneof(
    { weight: 2, arbitrary: valid },
    { weight: 2, arbitrary: jsonLike({ ...command, valid: taken }) },
    nothing,
  );
}

function jsonLike(known: Inputs = { valid: file, broken: file }): fc.Arbitrary<FuzzBody> {
  const { valid, broken } = known;
  const marked = fc.tuple(valid, fc.nat()).map(([input, at]) => {
    const members = Object.entries(input as object);
    const [key = 'name'] = members[at % Math.max(1, members.length)] ?? [];
    return { ...(input as object), [key]: [marker], [`x${marker}`]: marker };
  });
  const text = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .oneof(valid, valid, valid, broken, marked)
        .map((input) => JSON.stringify(input)),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: oddities },
  );
  return fc
    .oneof(
      { weight: 24, arbitrary: text.map(encode) },
      { weight: 6, arbitrary: text.chain(spoiled) },
      { weight: 3, arbitrary: fc.uint8Array({ maxLength: 500 }) },
      // above the limits of the world of this test
      { weight: 1, arbitrary: fc.constant(new Uint8Array(80_000).fill(0x20)) },
    )
    .map(asJson);
}

const boundaries = fc.constantFrom(
  'b',
  '-',
  '----WebKitFormBoundaryA',
  'x'.repeat(70),
  "a'()+_,./:=?z",
);

const disposition = fc.oneof(
  { weight: 4, arbitrary: fc.constant('form-data; name="file"; filename="a.txt"') },
  { weight: 3, arbitrary: fc.constant('form-data; name="stage_id"') },
  fc.constantFrom(
    `form-data; name="file"; filename="${marker}"`,
    'form-data; name="file"',
    'form-data; name="file"; filename="\\"; filename*=UTF-8\'\'%E2%82%AC',
    "form-data; name=file; filename*=utf-8''%ff",
    'form-data; name="__proto__"; filename="__proto__"',
    'form-data; filename="; name=file"',
    'attachment; name="file"; filename="ł"',
    'form-data',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

const partContent = fc.oneof(
  fc.constantFrom('1', '', 'x', '-', '\r', '\r\n', '\r\n-', '\r\n--b', '--', '%PDF-1.7', marker),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constant('y'.repeat(67_000)),
);

const formPart = fc
  .tuple(
    disposition,
    fc.constantFrom('', 'Content-Type: text/plain\r\n', 'X: \0\r\n', ': x\r\n'),
    partContent,
  )
  .map(([head, more, content]) => `Content-Disposition: ${head}\r\n${more}\r\n${content}`);

const soundPart = partContent.map(
  (content) => `Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}`,
);

/** A form, or bytes that only resemble one. */
export function formBody(): fc.Arbitrary<FuzzBody> {
  const parts = fc.oneof(
    { weight: 25, arbitrary: fc.array(formPart, { maxLength: 5 }) },
    { weight: 25, arbitrary: fc.tuple(soundPart) },
    { weight: 1, arbitrary: formPart.map((part) => Array.from({ length: 70 }, () => part)) },
  );
  const end = fc.constantFrom('--\r\n', '--', '', '-', '--\r\nepilogue\r\n--b\r\n');
  return fc
    .tuple(boundaries, parts, end, fc.integer({ min: 0, max: 30 }))
    .map(([boundary, all, last, cut]) => {
      const whole = `${all.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}${last}`;
      const text = cut === 1 ? whole.slice(0, whole.length / 2) : whole;
      const stated = cut === 2 ? 'other' : `"${boundary}"`;
      const type = cut === 3 ? 'multipart/form-data' : `multipart/form-data; boundary=${stated}`;
      return { bytes: encode(text), type };
    });
}
