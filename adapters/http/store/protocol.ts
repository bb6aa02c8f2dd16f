import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  type Answer,
  type DealFilter,
  type DealPart,
  isDeal,
  isIndexed,
  isIndexRange,
  isStored,
  isUlid,
  listedFields,
  type RecordKind,
  records,
  type Store,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import * as v from 'valibot';
import {
  endingKinds,
  hasType,
  integer,
  listedKinds,
  parts,
  positive,
  recordKinds,
  tenant,
  text,
  timedKinds,
  writeSet,
} from './schemas.js';

/** A text of fixed length that reveals nothing about the given one. */
export const hash = (given: string) => bytesToHex(sha256(utf8ToBytes(given)));

/** The header by which both ends know that they have the same protocol and the same fields. */
export const versionHeader = 'dealwright-store';
export const version = `1-${hash(JSON.stringify(records)).slice(0, 32)}`;

/** A method of the port over HTTP. */
interface Operation {
  /** Its parameters, a JSON list with `null` for each absent one. */
  readonly asked: v.GenericSchema;
  call(store: Store, asked: readonly unknown[]): Answer<unknown>;
  /** Whether this is an answer to these parameters, as far as the table of fields can say. */
  isAnswer(value: unknown, asked: readonly unknown[]): boolean;
}

const environment = v.picklist(['production', 'sandbox']);
/** The core asks for less; it bounds an answer. */
const limit = v.pipe(positive, v.maxValue(10_000));
const dealParts = v.array(v.picklist(parts));
const filter = v.record(
  v.picklist([
    'partner_id',
    'status',
    'freelancer_status',
    'email_key',
    'attention',
    'created_from',
    'created_to',
  ] satisfies (keyof DealFilter)[]),
  text,
);
const range = v.strictObject({
  direction: v.picklist(['older', 'newer']),
  from: v.optional(v.strictObject({ created_at: text, attempt: text })),
  limit,
});
const recordRange = v.strictObject({
  under: v.optional(text),
  direction: v.picklist(['ascending', 'descending']),
  after: v.optional(text),
  limit,
});
const indexOwner = v.union([v.strictObject({ environment }), tenant]);
const values = v.array(v.union([text, integer]));
const indexRange = v.strictObject({
  index: v.array(text),
  equal: values,
  from: v.optional(text),
  to: v.optional(text),
  direction: v.picklist(['ascending', 'descending']),
  after: v.optional(values),
  limit,
});
const parameters = (...schemas: v.GenericSchema[]) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((given) => given.map((each) => each ?? undefined)),
    v.strictTuple(schemas),
  );

type IsOne = (each: unknown, asked: readonly unknown[]) => boolean;
const isListOf =
  (isOne: IsOne): Operation['isAnswer'] =>
  (given, asked) =>
    Array.isArray(given) && given.every((each) => isOne(each, asked));
const areEvents = isListOf((event) => isStored('event', event));
// their second parameter is the kind
const isOfKind: IsOne = (row, [, kind]) => isStored(kind as RecordKind, row);
const isOfIndex: IsOne = (found, [, kind]) => isIndexed(kind as RecordKind, found);
const isFound: IsOne = (given, [, , asked]) => isDeal(given, asked as readonly DealPart[]);

export const operations = {
  commit: {
    asked: parameters(tenant, writeSet),
    call: (store, asked: Parameters<Store['commit']>) => store.commit(...asked),
    isAnswer: (given) => v.is(v.object({ outcome: v.picklist(['committed', 'refused']) }), given),
  },
  reserve: {
    asked: parameters(environment, positive, v.optional(positive)),
    call: (store, asked: Parameters<Store['reserve']>) => store.reserve(...asked),
    isAnswer: (given) => v.is(positive, given),
  },
  'deal-by-id': {
    asked: parameters(tenant, integer, dealParts),
    call: (store, asked: Parameters<Store['deals']['byId']>) => store.deals.byId(...asked),
    isAnswer: isFound,
  },
  'deal-by-partner-id': {
    asked: parameters(tenant, text, dealParts),
    call: (store, asked: Parameters<Store['deals']['byPartnerId']>) =>
      store.deals.byPartnerId(...asked),
    isAnswer: isFound,
  },
  'deal-by-payment-token': {
    asked: parameters(tenant, text, dealParts),
    call: (store, asked: Parameters<Store['deals']['byPaymentToken']>) =>
      store.deals.byPaymentToken(...asked),
    isAnswer: isFound,
  },
  deals: {
    asked: parameters(tenant, filter, range),
    call: (store, asked: Parameters<Store['deals']['list']>) => store.deals.list(...asked),
    isAnswer: isListOf((row) =>
      [...listedFields, 'attempt'].every((name) => hasType('deal', name, Object(row)[name])),
    ),
  },
  'work-files': {
    asked: parameters(tenant, v.array(text)),
    call: (store, asked: Parameters<Store['workFiles']['recorded']>) =>
      store.workFiles.recorded(...asked),
    isAnswer: isListOf((id) => v.is(text, id)),
  },
  events: {
    asked: parameters(tenant, v.optional(v.string()), limit),
    call: (store, asked: Parameters<Store['events']['after']>) => store.events.after(...asked),
    isAnswer: (given, asked) => {
      const { events, cursor, end } = Object(given);
      const isPage = areEvents(events, asked) && v.is(text, cursor) && v.is(text, end);
      return given === 'invalid_cursor' || isPage;
    },
  },
  'events-of': {
    asked: parameters(tenant, text, integer, limit),
    call: (store, asked: Parameters<Store['events']['of']>) => store.events.of(...asked),
    isAnswer: areEvents,
  },
  'record-by-key': {
    asked: parameters(tenant, v.picklist(listedKinds), text),
    call: (store, asked: Parameters<Store['records']['byKey']>) => store.records.byKey(...asked),
    isAnswer: (given, asked) => given === undefined || isOfKind(given, asked),
  },
  records: {
    asked: parameters(tenant, v.picklist(listedKinds), recordRange),
    call: (store, asked: Parameters<Store['records']['list']>) => store.records.list(...asked),
    isAnswer: isListOf(isOfKind),
  },
  'records-by-index': {
    asked: v.pipe(
      parameters(indexOwner, v.picklist(recordKinds), indexRange),
      v.check((asked) => isIndexRange(...(asked as Parameters<typeof isIndexRange>))),
    ),
    call: (store, asked: Parameters<Store['records']['byIndex']>) =>
      store.records.byIndex(...asked),
    isAnswer: isListOf(isOfIndex),
  },
  due: {
    asked: parameters(tenant, v.picklist(timedKinds), text, limit, v.optional(text)),
    call: (store, asked: Parameters<Store['due']>) => store.due(...asked),
    isAnswer: isListOf(isOfKind),
  },
  prune: {
    asked: parameters(v.picklist(endingKinds), text, limit),
    // a store without `prune` keeps everything
    call: (store, asked: Parameters<NonNullable<Store['prune']>>) =>
      store.prune?.(...asked) ?? ok(0),
    isAnswer: (given) => v.is(v.pipe(integer, v.minValue(0)), given),
  },
  tenants: {
    asked: parameters(v.optional(tenant), limit, v.optional(text)),
    call: (store, asked: Parameters<Store['tenants']>) => store.tenants(...asked),
    isAnswer: isListOf((each) => v.is(v.object({ tenant, end: text }), each)),
  },
  identity: {
    asked: parameters(),
    call: (store) => store.identity?.() ?? ok(undefined),
    isAnswer: (given) => given === undefined || isUlid(given),
  },
} satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

export const outcomeOf = (name: OperationName) =>
  name === 'commit' || name === 'prune' ? 'unknown' : 'none';

/** The answer of a service whose store failed; the cause stays there. */
export const failure = v.object({
  outcome: v.picklist(['none', 'unknown']),
  retryable: v.boolean(),
  retryAfter: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

/** The refusals of a service that did not call its store: nothing has happened. */
export const refusals = {
  unauthorized: [401, 'the secret is not the one of the service'],
  not_found: [404, 'the service has no such method; is the path of baseUrl right?'],
  method_not_allowed: [405, 'every method is a POST'],
  version_mismatch: [
    409,
    'the other end has another protocol or other fields of records; use the same version of dealwright at both ends',
  ],
  payload_too_large: [413, 'the request is larger than the service takes'],
  invalid_request: [400, 'the request is not one of the storage port'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export const isSecret = (secret: unknown): boolean =>
  typeof secret === 'string' && /^[\x21-\x7e]{16,1024}$/.test(secret);
