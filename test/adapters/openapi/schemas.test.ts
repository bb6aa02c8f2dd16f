import { Ajv2020 } from 'ajv/dist/2020.js';
import { defaultValueSets, interfaceProfile, isIdempotencyKey } from 'dealwright';
import { describeFields } from 'dealwright/fields';
import { lifecycle } from 'dealwright/life';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedParameters } from '../../../adapters/http/openapi/operations.js';
import { schemaOfField } from '../../../adapters/http/openapi/schema.js';
import { createCommandParser } from '../../../src/domain/life/command-input.js';
import { contractorTable, dealTable, dealV2Table, type Row } from '../../domain/field-tables.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';

const fields = describeFields(defaultValueSets);
const { parseContractor, parseDeal, parseDealV2 } = interfaceProfile(defaultValueSets);
const ajv = new Ajv2020({ strict: true, validateFormats: false });

/** Rules that JSON Schema cannot express; the descriptions do. */
const unsaid = ['malformed_text', 'forbidden_character', 'invalid_email'];

const tables = [
  ['contractor', fields.contractor, contractorTable, contractor, parseContractor],
  ['deal', fields.deal, dealTable, deal, parseDeal],
  ['deal_v2', fields.deal_v2, dealV2Table, dealV2, parseDealV2],
] as const;
const rows = tables.flatMap(([table, described, known, body, parse]) =>
  described.map((field, index) => {
    const { values } = known[index] as Row;
    return { name: `${table}.${field.name}`, field, values, body, parse };
  }),
);

describe.each(rows)('the schema of $name', ({ field, values, body, parse }) => {
  const validate = ajv.compile(schemaOfField(field));
  const codesOf = (value: unknown): readonly string[] =>
    parse({ ...body, [field.name]: value }).match(
      () => [],
      (findings) => findings.map(({ code }) => code),
    );

  it('takes what the service takes', () => {
    const holds = (value: unknown) => {
      expect([validate(value), value]).toEqual([true, value]);
    };
    for (const { value } of values.takenEdges) holds(value);
    fc.assert(fc.property(values.taken, ({ value }) => holds(value)));
  });

  it('refuses what the service refuses, but for what it cannot say', () => {
    const holds = (value: unknown) => {
      if (value === undefined || codesOf(value).every((code) => unsaid.includes(code))) return;
      expect([validate(value), value]).toEqual([false, value]);
    };
    for (const { value } of values.refusedEdges) holds(value);
    fc.assert(fc.property(values.refused, ({ value }) => holds(value)));
  });
});

const commands = Object.entries(fields.commands).flatMap(([actor, list]) =>
  Object.entries(list).map(([command, own]) => [`${actor} ${command}`, own] as const),
);
/** Accepted and refused values, by the names of members. */
const words = [
  ['x', '😀'.repeat(2000)],
  ['', '😀'.repeat(2001), 7, null],
] as const;
const money = [
  ['1.00', '12'],
  ['', '1.234', 'x', 7, null],
] as const;
const ofCommands: Readonly<Record<string, readonly [readonly unknown[], readonly unknown[]]>> = {
  reason: words,
  message: words,
  stage_id: [
    [1, 2 ** 53 - 1],
    ['1', 1.5, 2 ** 53, null],
  ],
  terms_sha256: [['0'.repeat(64)], ['0'.repeat(63), '0'.repeat(65), 7, null]],
  agreed_amount: money,
  amount: money,
  payment_id: [
    ['x', 'x'.repeat(26)],
    ['', 'x'.repeat(27), 7, null],
  ],
  status: [
    ['processing', 'paid', 'failed'],
    ['requested', 'scheduled', '', 7],
  ],
  currency: [
    ['PLN', 'pln', '😀😀😀'],
    ['', 'PL', 'PLNN', 7, null],
  ],
  reference: [
    ['x', 'x'.repeat(255)],
    ['', 'x'.repeat(256), 7],
  ],
};

describe.each(
  commands.flatMap(([command, list]) =>
    list.map((field) => ({ name: `${command}.${field.name}`, field })),
  ),
)('the schema of $name', ({ field }) => {
  const validate = ajv.compile(schemaOfField(field));

  it('takes and refuses what the service does', () => {
    const [taken, refused] = ofCommands[field.name] ?? [[], []];
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.map((value) => validate(value))).toEqual(taken.map(() => true));
    expect(refused.map((value) => validate(value))).toEqual(refused.map(() => false));
  });
});

it('commands say which fields they need', () => {
  const needing = commands.flatMap(([command, list]) => {
    const names = list.filter(({ required }) => required).map(({ name }) => name);
    return names.length === 0 ? [] : [[command, ...names]];
  });
  const report = ['status', 'reference'];
  expect(needing).toEqual([
    ['partner request-changes', 'reason'],
    ['partner dispute', 'reason'],
    ['partner add-bonus', 'amount'],
    ['freelancer dispute', 'reason'],
    ['operator cancel', 'reason'],
    ['operator resolve', 'agreed_amount'],
    ['operator write-off', 'amount', 'reason'],
    ['operator record-employer-payment', ...report],
    ['operator record-contractor-payment', 'payment_id', ...report],
    ['payments record-employer-payment', ...report],
    ['payments record-contractor-payment', 'payment_id', ...report],
  ]);
  const ofStages = commands.filter(([, list]) => list.some(({ name }) => name === 'stage_id'));
  expect(ofStages.map(([command]) => command)).toEqual([
    ...['partner deliver', 'partner request-changes', 'partner approve', 'freelancer deliver'],
  ]);
});

/** Decimals and near misses: signs, points, zeros, and one digit too many. */
const nearlyDecimal = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '', '-', '+', '--', ' '),
      fc.oneof(
        fc.string({ unit: fc.constantFrom('0', '0', '7'), maxLength: 4 }),
        fc.integer({ min: 17, max: 20 }).map((length) => '0'.repeat(length - 1)),
        fc.integer({ min: 17, max: 20 }).map((length) => '0'.repeat(length - 1).concat('9')),
      ),
      fc.constantFrom('', '.', '.', '..', ',', 'e'),
      fc.string({ unit: fc.constantFrom('0', '0', '5'), maxLength: 3 }),
      fc.constantFrom('', '', '', '\n', ' '),
    )
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 5 }),
);

describe('the pattern of a decimal takes what the service takes, and nothing else:', () => {
  const resolve = fields.commands.operator['resolve'];
  const ofLifecycle = createCommandParser(lifecycle);
  const rule = lifecycle.find(({ command }) => command === 'resolve');
  if (rule === undefined) throw new Error('a dispute is resolved');
  const decimals = [
    ['budget', fields.deal, (budget: string) => parseDeal({ ...deal, budget }).isOk()],
    ['amount', fields.deal_v2, (amount: string) => parseDealV2({ ...dealV2, amount }).isOk()],
    [
      'agreed_amount',
      resolve,
      (agreed_amount: string) => ofLifecycle(rule, { agreed_amount, reason: 'a' }).isOk(),
    ],
  ] as const;

  it.each(decimals)('%s', (name, list, isTaken) => {
    const field = list?.find((each) => each.name === name);
    const pattern = new RegExp(String(field && schemaOfField(field)['pattern']));
    const holds = (value: string) => {
      expect([value, pattern.test(value)]).toEqual([value, isTaken(value)]);
    };
    for (const sign of ['', '-']) {
      for (const value of ['', '.', '0', '0.', '.0', '.00', '0.00', '1', '.01', '1.', '00.10']) {
        holds(sign + value);
      }
    }
    fc.assert(fc.property(nearlyDecimal, holds), { numRuns: 2000 });
  });
});

describe('a default', () => {
  it('is told in words: as a keyword, it makes generators ask for what may be left out', () => {
    const withDefault = [...fields.deal, ...fields.deal_list].filter(
      (field) => field.default !== undefined,
    );
    expect(withDefault.map(({ name }) => name)).toEqual(['work_days', 'page_size']);
    for (const field of withDefault) {
      const schema = schemaOfField(field);
      expect(schema).not.toHaveProperty('default');
      expect(schema['description']).toContain(`Default: ${field.default}.`);
    }
  });
});

describe('the schema of an idempotency key', () => {
  const validate = ajv.compile(Object(sharedParameters['IdempotencyKey']?.['schema']));

  it('takes what the service takes, and nothing else', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('!', '~', 'a', ' ', '\x7f', 'ł', '\n'), maxLength: 4 }),
      fc.integer({ min: 250, max: 260 }).map((length) => 'k'.repeat(length)),
    );
    fc.assert(
      fc.property(text, (key) => {
        expect(validate(key)).toBe(isIdempotencyKey(key));
      }),
      { numRuns: 500 },
    );
  });
});
