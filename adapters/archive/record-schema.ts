import type { EventType } from 'dealwright';
import * as v from 'valibot';
import {
  anyText,
  dealStatus,
  freelancerStatus,
  idempotencyKey,
  integer,
  integerFrom,
  listOf,
  members,
  money,
  sha256,
  stageStatus,
  tenant,
  text,
  timestamp,
} from './fields.js';

const idempotency = members({ key: idempotencyKey, fingerprint: text });

const beside = {
  tenant,
  version: integerFrom(1),
  event_id: text,
  idempotency: v.exactOptional(idempotency),
};

const contractor = members({
  record: v.literal('contractor'),
  ...beside,
  key: members({ register: anyText, email_key: text }),
  contractor: members({
    email: text,
    name: text,
    surname: text,
    country_code: text,
    street: text,
    house_no: v.exactOptional(text),
    apartment_no: v.exactOptional(text),
    postal_code: text,
    city: text,
    language: text,
    bank_account_currency: text,
    bank_account_iban: text,
    bank_account_bic: v.exactOptional(text),
    pesel: v.exactOptional(text),
    nip: v.exactOptional(text),
    tax_id: v.exactOptional(text),
  }),
});

const workFile = members({
  id: text,
  stage_id: integerFrom(1),
  name: text,
  size: integerFrom(0),
  sha256,
  content_type: text,
  uploaded_at: timestamp,
});

const stage = v.pipe(
  members({
    id: integerFrom(1),
    name: text,
    budget: money,
    work_days: integer,
    status: stageStatus,
    work_files: listOf(workFile),
  }),
  v.check(
    ({ id, work_files }) => work_files.every(({ stage_id }) => stage_id === id),
    'has a work file of another stage',
  ),
);

const deal = v.pipe(
  members({
    record: v.literal('deal'),
    ...beside,
    deal: members({
      id: integerFrom(1),
      partner_id: text,
      contractor_email: text,
      name: text,
      description: text,
      budget: money,
      currency: text,
      work_days: integer,
      sub_category_id: integer,
      status: dealStatus,
      freelancer_status: freelancerStatus,
      created_at: timestamp,
      stages: listOf(stage),
    }),
    work_file_keys: listOf(members({ key: idempotencyKey, fingerprint: text, file_id: text })),
  }),
  v.check(({ deal, work_file_keys }) => {
    const ids = new Set(deal.stages.flatMap(({ work_files }) => work_files.map(({ id }) => id)));
    return work_file_keys.every(({ file_id }) => ids.has(file_id));
  }, 'has the key of a work file that is not there'),
);

const dealV2 = members({
  record: v.literal('deal_v2'),
  ...beside,
  deal: members({
    partner_id: text,
    email_freelancer: text,
    title: text,
    description: text,
    subcategory_id: integer,
    amount: money,
    currency: text,
    copyright_transfer: text,
    freelancer_language: text,
    // empty where another service keeps it
    payment_token: anyText,
    status: dealStatus,
    freelancer_status: freelancerStatus,
    created_at: timestamp,
  }),
});

/** What each kind of event tells; the compiler keeps the kinds complete. */
const eventData = {
  'contractor.registered': members({
    contractor_email: text,
    country_code: text,
    language: text,
  }),
  'deal.created': v.variant(
    'api_version',
    [
      members({
        api_version: v.literal('1.0'),
        partner_id: text,
        contractor_email: text,
        name: text,
        budget: anyText,
        currency: text,
        work_days: integer,
        sub_category_id: integer,
      }),
      members({
        api_version: v.literal('2.0'),
        partner_id: text,
        email_freelancer: text,
        title: text,
        amount: anyText,
        currency: text,
        subcategory_id: integer,
      }),
    ],
    'is of no version that there is',
  ),
  'work_file.stored': members({
    partner_id: text,
    stage_id: integerFrom(1),
    work_file_id: text,
    name: text,
    size: integerFrom(0),
    sha256,
    content_type: text,
  }),
} as const satisfies Record<EventType, v.GenericSchema>;

function eventOf<const T extends EventType>(type: T) {
  return members({
    id: text,
    type: v.literal(type),
    environment: anyText,
    partner: text,
    subject: text,
    sequence: integerFrom(1),
    at: timestamp,
    data: eventData[type],
  });
}

const event = v.pipe(
  members({
    record: v.literal('event'),
    tenant,
    event: v.variant(
      'type',
      [eventOf('contractor.registered'), eventOf('deal.created'), eventOf('work_file.stored')],
      'is of no type that there is',
    ),
  }),
  v.check(
    ({ tenant, event }) =>
      event.environment === tenant.environment && event.partner === tenant.partner,
    'has an event of another tenant',
  ),
);

/** The records of an archive, by their kinds. */
export const recordSchemas = { contractor, deal, deal_v2: dealV2, event } as const;

/** A piece of a content. */
export const contentSchema = members({
  record: v.literal('content'),
  file_id: text,
  base64: v.string('is no text'),
});

/** The first line. */
export const headerSchema = members({
  dealwright: v.literal('archive'),
  format: integer,
  contents: v.boolean('is neither true nor false'),
});

/** The last line. */
export const endSchema = members({
  record: v.literal('end'),
  counts: members({
    contractor: integer,
    deal: integer,
    deal_v2: integer,
    event: integer,
    content: integer,
  }),
});
