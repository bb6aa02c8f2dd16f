import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  type Answer,
  type DealPart,
  type PortFailure,
  records,
  type Store,
  type Tenant,
} from 'dealwright/ports';
import * as v from 'valibot';
import { integer, listed, parts, positive, stored, tenant, text, writeSet } from './schemas.js';

/** The header by which both ends know that they mean the same: the protocol and all fields. */
export const versionHeader = 'dealwright-store';
export const version = `1-${bytesToHex(sha256(utf8ToBytes(JSON.stringify(records)))).slice(0, 32)}`;

/** The parameters of each method of the port, by its path. */
export interface Calls {
  readonly commit: Parameters<Store['commit']>;
  readonly reserve: Parameters<Store['reserve']>;
  readonly 'deal-by-id': [Tenant, number, readonly DealPart[]];
  readonly 'deal-by-partner-id': [Tenant, string, readonly DealPart[]];
  readonly deals: Parameters<Store['deals']['list']>;
  readonly 'work-files': Parameters<Store['workFiles']['recorded']>;
  readonly events: Parameters<Store['events']['after']>;
  readonly tenants: Parameters<Store['tenants']>;
}

/** A method of the port over HTTP: its parameters are a JSON list, `null` where one is absent. */
interface Operation<Asked extends readonly unknown[]> {
  readonly asked: v.GenericSchema;
  readonly answered: v.GenericSchema;
  /** What may have happened where no answer came. */
  readonly outcome: PortFailure['outcome'];
  call(store: Store, ...asked: Asked): Answer<unknown>;
}

const environment = v.picklist(['production', 'sandbox']);
/** More than the core asks for; an answer is bounded by it. */
const limit = v.pipe(positive, v.maxValue(10_000));
const absent = v.pipe(
  v.null(),
  v.transform(() => undefined),
);
const dealParts = v.array(v.picklist(parts));
const deal = v.union([
  absent,
  v.object({
    deal: stored('deal'),
    ...Object.fromEntries(parts.map((part) => [part, v.optional(v.array(stored(part)))])),
  }),
]);
const filter = v.strictObject({
  partner_id: v.optional(text),
  status: v.optional(text),
  freelancer_status: v.optional(text),
  email_key: v.optional(text),
  created_from: v.optional(text),
  created_to: v.optional(text),
});
const range = v.strictObject({
  direction: v.picklist(['older', 'newer']),
  from: v.optional(v.strictObject({ created_at: text, attempt: text })),
  limit,
});

export const operations: { readonly [P in keyof Calls]: Operation<Calls[P]> } = {
  commit: {
    asked: v.strictTuple([tenant, writeSet]),
    answered: v.variant('outcome', [
      v.object({ outcome: v.literal('committed') }),
      v.object({
        outcome: v.literal('refused'),
        expectation: integer,
        first: v.optional(v.object({ fingerprint: text, answer: text })),
      }),
    ]),
    outcome: 'unknown',
    call: (store, ...asked) => store.commit(...asked),
  },
  reserve: {
    asked: v.strictTuple([environment, positive]),
    answered: positive,
    outcome: 'none',
    call: (store, ...asked) => store.reserve(...asked),
  },
  'deal-by-id': {
    asked: v.strictTuple([tenant, integer, dealParts]),
    answered: deal,
    outcome: 'none',
    call: (store, ...asked) => store.deals.byId(...asked),
  },
  'deal-by-partner-id': {
    asked: v.strictTuple([tenant, text, dealParts]),
    answered: deal,
    outcome: 'none',
    call: (store, ...asked) => store.deals.byPartnerId(...asked),
  },
  deals: {
    asked: v.strictTuple([tenant, filter, range]),
    answered: v.array(listed),
    outcome: 'none',
    call: (store, ...asked) => store.deals.list(...asked),
  },
  'work-files': {
    asked: v.strictTuple([tenant, v.array(text)]),
    answered: v.array(text),
    outcome: 'none',
    call: (store, ...asked) => store.workFiles.recorded(...asked),
  },
  events: {
    asked: v.strictTuple([tenant, v.union([v.string(), absent]), limit]),
    answered: v.union([
      v.literal('invalid_cursor'),
      v.object({ events: v.array(stored('event')), cursor: text }),
    ]),
    outcome: 'none',
    call: (store, ...asked) => store.events.after(...asked),
  },
  tenants: {
    asked: v.strictTuple([v.union([tenant, absent]), limit]),
    answered: v.array(tenant),
    outcome: 'none',
    call: (store, ...asked) => store.tenants(...asked),
  },
};

/** How a service says that its store failed; the cause stays there. */
export const failure = v.object({
  outcome: v.picklist(['none', 'unknown']),
  retryable: v.boolean(),
  retryAfter: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

/** Why a service did not ask its store: nothing has happened. */
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

/** The secret that both ends share. */
export function checkSecret(maker: string, secret: unknown): void {
  if (typeof secret === 'string' && /^[\x21-\x7e]{16,1024}$/.test(secret)) return;
  throw new TypeError(`${maker}: secret has 16 to 1024 visible ASCII characters`);
}
