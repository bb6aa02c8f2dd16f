import {
  type CallOptions,
  type ErrorCode,
  isIdempotencyKey,
  type Language,
  type PartnerApi,
} from 'dealwright';
import { err, type Result, ResultAsync } from 'neverthrow';
import { contractorMembers, dealMembers, dealV2Members } from '../members.js';
import { encodeInput } from './encode-input.js';
import { exchange } from './exchange.js';
import {
  type CallFacts,
  type CommonError,
  type PlainError,
  plainError,
  type Reading,
  readContractorRegistered,
  readDealCreated,
  readDealV2Created,
  readReply,
} from './read-reply.js';
import { type ClientOptions, readLanguage, readSettings, type Settings } from './settings.js';

/** An operation of the interface as the wire knows it. */
interface Operation<T, Conflict extends ErrorCode> extends Reading<T, Conflict> {
  readonly path: string;
  readonly members: Readonly<Record<string, true>>;
}

const registerContractor = {
  path: '/api/1.0/contractor/',
  members: contractorMembers,
  conflict: 'contractor_exists',
  readData: readContractorRegistered,
} as const;

const createDeal = {
  path: '/api/1.0/deal/',
  members: dealMembers,
  conflict: 'deal_exists',
  readData: readDealCreated,
} as const;

const createDealV2 = {
  path: '/api/2.0/deal/',
  members: dealV2Members,
  conflict: 'deal_exists',
  readData: readDealV2Created,
} as const;

/**
 * Makes a client of a service over HTTP: the same `PartnerApi` that `Marketplace.partner` gives in
 * process. Each call is one attempt; no call throws or rejects. A mistake in the options throws a
 * `TypeError` here. It needs web globals only: Node, Deno, Bun, Workers and browsers have them.
 *
 * A service of another make is understood as far as it keeps to the interface: an error whose body
 * it words otherwise becomes the error that its status means.
 *
 * @example
 * ```ts
 * import { createClient } from 'dealwright/client';
 *
 * const api = createClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * const result = await api.createDeal(
 *   {
 *     partner_id: 'order-1',
 *     contractor_email: 'user@example.com',
 *     name: 'Deal name',
 *     description: 'Deal description',
 *     budget: '1000.00',
 *     currency: 'EUR',
 *     sub_category_id: 75,
 *   },
 *   { idempotencyKey: 'order-1' },
 * );
 * if (result.isErr()) console.error(result.error.code);
 * ```
 */
export function createClient(options: ClientOptions): PartnerApi {
  const settings = readSettings(options);
  return {
    registerContractor: (input, call) =>
      new ResultAsync(send(settings, registerContractor, input, call)),
    createDeal: (input, call) => new ResultAsync(send(settings, createDeal, input, call)),
    createDealV2: (input, call) => new ResultAsync(send(settings, createDealV2, input, call)),
  };
}

async function send<T, Conflict extends ErrorCode>(
  settings: Settings,
  operation: Operation<T, Conflict>,
  input: unknown,
  call: CallOptions | undefined,
): Promise<Result<T, PlainError<Conflict> | CommonError>> {
  const { base, token, fetch, timeout } = settings;
  const { language, key } = readCall(settings, call);
  const facts: CallFacts = { language, hasKey: key !== undefined, secret: token };
  if (key !== undefined && !isIdempotencyKey(key)) {
    return err(plainError('invalid_idempotency_key', facts));
  }
  const headers: Record<string, string> = {
    ...settings.headers,
    Authorization: `Token ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'Accept-Language': language,
  };
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const body = encodeInput(input, operation.members);
  if (body === undefined) return readReply(tooLarge, operation, facts);
  const reply = await exchange(fetch, base + operation.path, { headers, body }, timeout);
  return readReply(reply, operation, facts);
}

const tooLarge = { sent: false, retryable: false, reason: 'the input is too large' };

/** A caller's options; one that cannot be read is a key that is none. */
function readCall(
  settings: Settings,
  call: CallOptions | undefined,
): { readonly language: Language; readonly key: unknown } {
  try {
    return {
      language: readLanguage(call?.language ?? settings.language),
      key: call?.idempotencyKey,
    };
  } catch {
    return { language: settings.language, key: null };
  }
}
