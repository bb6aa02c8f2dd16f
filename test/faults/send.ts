import { isDeepStrictEqual } from 'node:util';
import { tokenOf } from './intents.js';
import type { Intent, Journal } from './journal.js';

/** The answer of the service, or `undefined` if it was gone before. */
export interface Heard {
  readonly status: number;
  /** The `data` of a success. */
  readonly data: unknown;
  /** The `code` of an error. */
  readonly code: string | undefined;
}

/** The address of the service, and the journal of its answers. */
export interface Talk {
  readonly journal: Journal;
  readonly baseUrl: string;
}

/** Sends one request, once. */
export async function ask(
  { baseUrl }: Pick<Talk, 'baseUrl'>,
  tenant: Intent['tenant'],
  path: string,
  init: { readonly headers?: Record<string, string>; readonly body?: object } = {},
): Promise<Heard | undefined> {
  const { headers, body } = init;
  try {
    const response = await fetch(baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Token ${tokenOf(tenant)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const said = (await response.json()) as { readonly data?: unknown; readonly code?: string };
    return { status: response.status, data: said.data, code: said.code };
  } catch {
    return undefined;
  }
}

/** The header with a key, if there is one. */
export const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };

/** The error code of a record that exists already. */
const existsCode = { contractor: 'contractor_exists', deal: 'deal_exists', deal_v2: 'deal_exists' };

/**
 * Sends the create, and judges the answer by the earlier ones. Returns whether there was an answer.
 */
export async function create(talk: Talk, intent: Intent): Promise<boolean> {
  const { journal } = talk;
  const wasKnown = intent.isKnown;
  intent.sent += 1;
  intent.isFresh = true;
  const heard = await ask(talk, intent.tenant, intent.path, {
    headers: keyed(intent.key),
    body: intent.body,
  });
  if (heard === undefined) {
    journal.count(`${intent.kind} cut off`);
    return false;
  }
  journal.count(`${intent.kind} ${heard.status}`);
  if (heard.status === 201) {
    if (intent.answer === undefined) {
      intent.answer = heard.data;
      if (wasKnown && intent.key === undefined) journal.complain(intent, 'was created once more');
    } else if (intent.key === undefined) {
      journal.complain(intent, 'was created twice');
    } else if (!isDeepStrictEqual(intent.answer, heard.data)) {
      journal.complain(intent, `was answered as ${text(intent.answer)}, then ${text(heard.data)}`);
    }
    intent.isKnown = true;
  } else if (
    intent.kind !== 'file' &&
    intent.key === undefined &&
    heard.code === existsCode[intent.kind]
  ) {
    if (intent.sent === 1) journal.complain(intent, 'is there before it was asked for');
    intent.isKnown = true;
  } else if (intent.kind === 'file' && !wasKnown && heard.code === 'precondition_failed') {
    intent.isRefused = true;
  } else if (heard.code !== 'unavailable') {
    journal.complain(intent, `was answered with ${heard.status} ${heard.code}`);
  }
  return true;
}

/**
 * Sends another record under its key, or the same one without the key, once it exists: both are
 * refused. Returns whether there was an answer.
 */
export async function collide(talk: Talk, intent: Intent, isOther: boolean): Promise<boolean> {
  const { journal } = talk;
  if (intent.key === undefined || intent.kind === 'file' || intent.answer === undefined)
    return true;
  const other = { contractor: 'city', deal: 'description', deal_v2: 'description' }[intent.kind];
  const heard = await ask(talk, intent.tenant, intent.path, {
    headers: keyed(isOther ? intent.key : undefined),
    body: isOther ? { ...intent.body, [other]: 'Other' } : intent.body,
  });
  if (heard === undefined) {
    journal.count('conflict cut off');
    return false;
  }
  journal.count(`conflict ${heard.status}`);
  const expected = isOther ? 'idempotency_key_reused' : existsCode[intent.kind];
  if (heard.code !== expected && heard.code !== 'unavailable') {
    journal.complain(intent, `a conflict was answered with ${heard.status} ${heard.code}`);
  }
  return true;
}

/** A value as JSON, short. */
export function text(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 300);
}
