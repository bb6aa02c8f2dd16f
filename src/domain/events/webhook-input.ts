import { err, ok } from 'neverthrow';
import * as v from 'valibot';
import { copyMembers, createParser, type Parser } from '../input/parser.js';
import type { Finding } from '../values/issues.js';
import { boundedText, rule } from '../values/rule.js';

/** A webhook as a partner asks for it (decision 7.2). */
export interface WebhookInput {
  /** `http:` or `https:`, at most 2,048 characters; in production `https:` alone. */
  readonly url: string;
  /** The types of events that are sent; every type without it, or if it is empty. */
  readonly types?: readonly string[];
  /** Whether later events of a subject wait for the earlier ones; default `false`. */
  readonly ordered?: boolean;
}

/** The input of a webhook, with defaults filled in. */
export type WebhookTerms = Required<WebhookInput>;

/** The most webhooks of a partner, and the most of them with one host name (decision 7.8). */
export const mostWebhooks = 1_000;
export const mostOfHost = 100;

/**
 * The host name of a URL whose form a sender has judged, if the sender itself does not give it: in
 * lower case, without the dot of the root.
 */
export function hostIn(url: string): string | null {
  const [, host] = /^[a-z]+:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url) ?? [];
  return host === undefined || host === '' ? null : host.toLowerCase().replace(/\.$/, '');
}

/** The most types that a webhook may name. */
export const mostTypes = 100;

/**
 * The rules of the fields of a webhook.
 *
 * @internal
 */
export function webhookEntries() {
  return { url: boundedText(1, 2_048) };
}

/**
 * The rule of the type of an event: of the interface, or of a host.
 *
 * @internal
 */
export function eventTypeEntries() {
  const isType = (value: string) => /^[\x21-\x2b\x2d-\x7e]+$/.test(value);
  return { type: v.pipe(boundedText(1, 100), rule('invalid_event_type', isType, {})) };
}

/** The parser of the input of a webhook. */
export function createWebhookParser(): Parser<WebhookTerms> {
  const parseText = createParser(v.object(webhookEntries()));
  const parseType = createParser(v.object(eventTypeEntries()));
  return (input) => {
    const members = copyMembers(input);
    // an input that could not be copied is not read again: it may answer otherwise
    const text = parseText(members ?? (input === null ? null : undefined));
    const findings: Finding[] = text.isErr() ? [...text.error] : [];
    // an input that is not an object is refused as a whole
    if (members === undefined) return err(findings);
    const { types: given = [], ordered = false } = members;
    const types = copyList(given);
    const refuse = <C extends Finding['code']>(
      path: readonly string[],
      code: C,
      params: Finding<C>['params'],
    ) => findings.push({ path, code, params });
    const asked: string[] = [];
    if (given === null) refuse(['types'], 'null_not_allowed', {});
    else if (types === undefined) refuse(['types'], 'wrong_type', { expected: 'list' });
    else if (types.length > mostTypes) refuse(['types'], 'too_many_types', { max: mostTypes });
    else {
      for (const [at, type] of types.entries()) {
        const parsed = parseType({ type });
        if (parsed.isOk()) asked.push(parsed.value.type);
        else findings.push(...parsed.error.map((each) => ({ ...each, path: ['types', `${at}`] })));
      }
    }
    if (ordered === null) refuse(['ordered'], 'null_not_allowed', {});
    else if (typeof ordered !== 'boolean') {
      refuse(['ordered'], 'wrong_type', { expected: 'boolean' });
    }
    return text.isErr() || findings.length > 0
      ? err(findings)
      : ok({ url: text.value.url, types: [...new Set(asked)], ordered: ordered === true });
  };
}

/**
 * The elements of a list, each read once, and at most one more than are allowed; `undefined` if it
 * is not a list. Lists of a caller in process may throw, as `copyMembers` says.
 */
function copyList(given: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(given)
      ? Array.from({ length: Math.min(given.length, mostTypes + 1) }, (_, at): unknown => given[at])
      : undefined;
  } catch {
    return undefined;
  }
}
