import type { EventsPage } from '../../src/api/answers.js';
import type { EventQuery } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { DomainEvent } from '../../src/domain/events/events.js';
import { check, okOf } from '../expectations.js';
import { createDocumentedDeal, type Version } from './deals.js';
import type { Views } from './subject.js';

/** A page of a feed or of a time line. */
export type Read = (query: EventQuery) => PromiseLike<EventsPage>;

/** Says of an event whether it is one of these. */
export type Which = (event: DomainEvent) => boolean;

/** Reads the feed of a view. */
export const feedOf =
  (api: PartnerApi): Read =>
  async (query) =>
    okOf(await api.listEvents(query), 'a page of the feed');

/** Reads the time line of a deal. */
export const timeLineOf =
  (api: PartnerApi, partner_id: string): Read =>
  async (query) =>
    okOf(await api.listDealEvents(partner_id, query), `the time line of ${partner_id}`);

/** The end of a feed, from which a case reads: what was there before is not its own. */
export async function endOf(api: PartnerApi): Promise<string> {
  return (await feedOf(api)({ after: 'end' })).next;
}

/** Every event of a time line, page by page, until the cursor no longer moves. */
export async function walkLine(
  read: Read,
  query: EventQuery = {},
): Promise<readonly DomainEvent[]> {
  return (await readOn(read, query)).events;
}

/** Every event up to the first of these. Others write to a feed meanwhile: it may have no end. */
export async function walkTo(read: Read, query: EventQuery, which: Which): Promise<DomainEvent[]> {
  const { events } = await readOn(read, query, which);
  return events.slice(0, events.findIndex(which) + 1);
}

/** How often an event that is not there yet is asked for: a feed may show it late. */
const mostWaits = 100;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

/** Reads page by page to the first page with one of these; without them, to the end. */
export async function readOn(
  read: Read,
  query: EventQuery,
  which?: Which,
): Promise<{ readonly events: readonly DomainEvent[]; readonly next: string }> {
  const events: DomainEvent[] = [];
  let { after } = query;
  for (let [pages, waits] = [0, 0]; ; pages += 1) {
    check(pages < 10_000, 'a feed comes to its end');
    const page = await read({ ...query, ...(after !== undefined && { after }) });
    check(page.results.length <= (query.page_size ?? 20), 'a page has no more than it may have');
    events.push(...page.results);
    const isAtEnd = page.next === after;
    after = page.next;
    if (which === undefined ? isAtEnd : page.results.some(which)) return { events, next: after };
    if (!isAtEnd) continue;
    check(waits < mostWaits, 'the feed has the event');
    waits += 1;
    await pause();
  }
}

/** Says of an event whether it is about this deal. */
export const about =
  (partner_id: string): Which =>
  ({ subject }) =>
    subject === `deal:${partner_id}`;

/** Says of an event whether it is about a deal or the contractor of the case. */
export const isOwn =
  ({ prefix, contractor }: Views): Which =>
  ({ subject }) =>
    subject.startsWith(`deal:${prefix}`) || subject === `contractor:${contractor.email}`;

/** Makes the deal of the case in a version, and nothing else that has an event. */
export async function createOne(views: Views, version: Version): Promise<void> {
  if (version === '1.0') await createDocumentedDeal(views);
  else okOf(await views.api.createDealV2(views.dealV2), 'a deal');
}

/** Some deals of 2.0 with three events each, one deal after the other; their names. */
export async function live({ api, dealV2, name }: Views, count = 4): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => name(`deal-${index}`));
  for (const partner_id of names) {
    okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
    okOf(await api.invite(partner_id), 'an invitation');
    okOf(await api.cancel(partner_id, { reason: 'It was withdrawn.' }), 'a cancellation');
  }
  return names;
}

/** Says of an event whether it is the last of `live`. */
export const endOfLive =
  (names: readonly string[]): Which =>
  ({ subject, type }) =>
    subject === `deal:${names.at(-1)}` && type === 'deal.cancelled';

export const typesOf = (events: readonly DomainEvent[]) => events.map(({ type }) => type);
export const idsOf = (events: readonly DomainEvent[]) => events.map(({ id }) => id);
