import * as v from 'valibot';
import { pageSize } from '../deals/deal-list.js';
import { createParser, type Parser } from '../input/parser.js';
import { oneOf, text } from '../values/rule.js';
import { timestamp } from '../values/timestamp.js';

/** The parameters of a page of events. */
export interface EventPageQuery {
  /** `next` of an earlier page; without it, from the first event on. */
  readonly after?: string;
  /** 1 to 100; default 20. */
  readonly page_size?: number;
}

/** The parameters of a feed of events (decision 7.1). */
export interface EventQuery extends EventPageQuery {
  /** `next` of an earlier page, or `end` for the end of the feed; without it, from the first event on. */
  readonly after?: string;
  /** Types of events, separated by commas; every type without it. */
  readonly type?: string;
}

/**
 * The rules of the parameters of a feed.
 *
 * @internal
 */
export function eventQueryEntries() {
  return {
    after: v.exactOptional(text(0)),
    page_size: pageSize(),
    type: v.exactOptional(text(0)),
  };
}

/**
 * The rules of the parameters of a page.
 *
 * @internal
 */
export function pageQueryEntries() {
  return { page_size: pageSize(), cursor: v.exactOptional(text(0)) };
}

/** The parser of the parameters of a page. */
export function createPageQueryParser(): Parser<{
  readonly page_size: number;
  readonly cursor?: string;
}> {
  return createParser(v.object(pageQueryEntries()));
}

/**
 * The rules of a redelivery.
 *
 * @internal
 */
export function redeliveryEntries() {
  return {
    since: timestamp(),
    which: v.exactOptional(oneOf(['failed', 'all']), 'failed'),
    cursor: v.exactOptional(text(0)),
  };
}

/** The parser of a redelivery. */
export function createRedeliveryParser(): Parser<{
  readonly since: string;
  readonly which: string;
  readonly cursor?: string;
}> {
  return createParser(v.object(redeliveryEntries()));
}

/** The parser of the parameters of a feed. */
export function createEventQueryParser(): Parser<EventQuery & { readonly page_size: number }> {
  return createParser(v.object(eventQueryEntries()));
}
