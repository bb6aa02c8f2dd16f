import { fromMinorUnits } from 'dealwright';
import type { StoreRecord, Tenant } from 'dealwright/ports';
import fc from 'fast-check';

const maxMinor = 10n ** 20n - 1n;

const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .map((value) => value.replaceAll('\0', '\u0001'))
  .filter((value) => value.isWellFormed());
const money = fc.bigInt({ min: -maxMinor, max: maxMinor }).map(fromMinorUnits);
const integer = fc.maxSafeInteger().map((value) => value + 0);
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const time = fc
  .date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const tenant: fc.Arbitrary<Tenant> = fc.record(
  { environment: fc.constantFrom('production', 'sandbox'), partner: text },
  { noNullPrototype: true },
);
const key = fc.string({ unit: fc.constantFrom(...'aZ0~!"\\{'), minLength: 1, maxLength: 8 });
const idempotency = fc.option(fc.record({ key, fingerprint: text }, { noNullPrototype: true }), {
  nil: undefined,
});
const beside = { tenant, version: id, event_id: text, idempotency };
const statuses = {
  status: fc.constantFrom('created', 'disputed', 'expired'),
  freelancer_status: fc.constantFrom('new', 'declined', 'finished'),
  created_at: time,
} as const;

/** An object of these members, some of which may be left out. */
const object = <T, K extends keyof T = keyof T>(
  members: { [name in keyof T]: fc.Arbitrary<T[name]> },
  requiredKeys?: K[],
) =>
  fc.record(
    members,
    requiredKeys === undefined
      ? { noNullPrototype: true }
      : { noNullPrototype: true, requiredKeys },
  );

const contractor = object({
  record: fc.constant('contractor' as const),
  ...beside,
  key: object({ register: fc.oneof(fc.constant(''), text), email_key: text }),
  contractor: object(
    {
      email: text,
      name: text,
      surname: text,
      country_code: text,
      street: text,
      house_no: text,
      apartment_no: text,
      postal_code: text,
      city: text,
      language: text,
      bank_account_currency: text,
      bank_account_iban: text,
      bank_account_bic: text,
      pesel: text,
      nip: text,
      tax_id: text,
    },
    [
      'email',
      'name',
      'surname',
      'country_code',
      'street',
      'postal_code',
      'city',
      'language',
      'bank_account_currency',
      'bank_account_iban',
    ],
  ),
});

const stage = id.chain((stageId) =>
  object({
    id: fc.constant(stageId),
    name: text,
    budget: money,
    work_days: integer,
    status: fc.constantFrom('pending' as const, 'paid' as const),
    work_files: fc.array(
      object({
        id: text,
        stage_id: fc.constant(stageId),
        name: text,
        size: fc.nat(),
        sha256: fc.constant('0'.repeat(64)),
        content_type: text,
        uploaded_at: time,
      }),
      { maxLength: 2 },
    ),
  }),
);

const deal = object({
  id,
  partner_id: text,
  contractor_email: text,
  name: text,
  description: text,
  budget: money,
  currency: text,
  work_days: integer,
  sub_category_id: integer,
  ...statuses,
  stages: fc.array(stage, { maxLength: 3 }),
});

const dealRecord = deal.chain((value) => {
  const ids = value.stages.flatMap(({ work_files }) => work_files.map((file) => file.id));
  const file_id = fc.constantFrom(...(ids.length === 0 ? ['none'] : ids));
  const keys = object({ key, fingerprint: text, file_id });
  return object({
    record: fc.constant('deal' as const),
    ...beside,
    deal: fc.constant(value),
    work_file_keys: ids.length === 0 ? fc.constant([]) : fc.array(keys, { maxLength: 2 }),
  });
});

const dealV2 = object({
  record: fc.constant('deal_v2' as const),
  ...beside,
  deal: object({
    partner_id: text,
    email_freelancer: text,
    title: text,
    description: text,
    subcategory_id: integer,
    amount: money,
    currency: text,
    copyright_transfer: text,
    freelancer_language: text,
    payment_token: fc.oneof(fc.constant(''), text),
    ...statuses,
  }),
});

const event = tenant.chain((of) =>
  object({
    record: fc.constant('event' as const),
    tenant: fc.constant(of),
    event: object({
      id: text,
      type: fc.constant('contractor.registered' as const),
      environment: fc.constant(of.environment),
      partner: fc.constant(of.partner),
      subject: text,
      sequence: id,
      at: time,
      data: object({ contractor_email: text, country_code: text, language: text }),
    }),
  }),
);

/** Records in the order of a dump. */
export function anyRecords(): fc.Arbitrary<StoreRecord[]> {
  return fc
    .tuple(
      fc.array<StoreRecord>(contractor, { maxLength: 3 }),
      fc.array<StoreRecord>(fc.oneof(dealRecord, dealV2), { maxLength: 4 }),
      fc.array<StoreRecord>(event, { maxLength: 3 }),
    )
    .map((kinds) => kinds.flat());
}
