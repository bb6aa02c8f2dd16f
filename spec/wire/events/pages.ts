import { check, show } from '../../expectations.js';
import { type Caller, type Json, type Members, membersOf, type Server } from '../server.js';

/** The events of a partner. */
export const feed = '/api/2.0/event/';

/** The events of one deal. */
export const timeLineOf = (partner_id: string) =>
  `/api/2.0/deal/${encodeURIComponent(partner_id)}/event/`;

/** Makes a deal for a partner. */
export type Make = (
  server: Server,
  changes?: Members,
  caller?: Caller,
) => Promise<{ readonly partner_id: string }>;

export const makeDeal: Make = async (server, changes, caller = server.partner) => {
  const contractor = server.contractor();
  await caller.data('POST', '/api/1.0/contractor/', { body: contractor });
  const body = server.deal({ contractor_email: contractor['email'], ...changes });
  await caller.data('POST', '/api/1.0/deal/', { body });
  return { partner_id: String(body['partner_id']) };
};

export const makeDealV2: Make = async (server, changes, caller = server.partner) => {
  const body = server.dealV2(changes);
  await caller.data('POST', '/api/2.0/deal/', { body });
  return { partner_id: String(body['partner_id']) };
};

/** Makes a deal of each version. */
export const versions = [
  ['1.0', makeDeal],
  ['2.0', makeDealV2],
] as const;

export interface EventQuery {
  readonly after?: string | undefined;
  readonly page_size?: string | number | undefined;
  readonly type?: string | undefined;
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, query: object): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}

/** The list in a value, whose items must be objects. */
export function listOf(value: Json, what: string): readonly Members[] {
  check(Array.isArray(value), `${what} is an array\n  actual: ${show(value)}`);
  return value.map((each) => membersOf(each, `an item of ${what}`));
}

/** A page of a feed or of a time line. A law of its own judges `next`. */
export interface EventPage {
  readonly results: readonly Members[];
  readonly next: Json;
}

export async function pageOf(caller: Caller, path: string, query: EventQuery): Promise<EventPage> {
  const { results, next } = await caller.data('GET', withQuery(path, query));
  return { results: listOf(results, 'the member results'), next };
}

/** More pages than any feed has between the beginning of a case and its end. */
export const mostPages = 5_000;

/** All events from a position to the end, and the position of the end. */
export async function readOn(
  caller: Caller,
  path: string,
  query: EventQuery = {},
): Promise<{ readonly events: readonly Members[]; readonly end: string | undefined }> {
  const events: Members[] = [];
  const ids = new Set<Json>();
  let { after } = query;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { results, next } = await pageOf(caller, path, { page_size: 100, ...query, after });
    for (const event of results) {
      check(!ids.has(event['id']), `no page repeats an event\n  actual: ${show(event)}`);
      ids.add(event['id']);
    }
    events.push(...results);
    if (typeof next !== 'string') return { events, end: after };
    // with a type, a page without events need not be the last one
    const isEnd = results.length === 0 && (query.type === undefined || next === after);
    if (isEnd) return { events, end: next };
    after = next;
  }
  throw new Error(`the end of ${path} was not reached in ${mostPages} pages`);
}

/** The position of the end of a feed. */
export async function endOf(caller: Caller): Promise<string | undefined> {
  // some servers know this shortcut, and others need the whole walk
  const reply = await caller.send('GET', withQuery(feed, { after: 'end' }));
  const { next } = reply.status === 200 ? membersOf(reply.members()['data'], 'the page') : {};
  const after = typeof next === 'string' ? next : undefined;
  return (await readOn(caller, feed, { after })).end;
}

/** Says whether an event is about what has this name. */
export function mentions(name: string): (event: Members) => boolean {
  const text = JSON.stringify(name).slice(1, -1).toLowerCase();
  return (event) => JSON.stringify(event).toLowerCase().includes(text);
}

/** Tells the service that the freelancer was invited: the second event of a new deal. */
export const invite = ({ partner }: Server, partner_id: string) =>
  partner.data('POST', `/api/2.0/deal/${encodeURIComponent(partner_id)}/invite/`, { body: {} });

/** Makes some deals, one after the other; `after` is the position before them. */
export async function makeSome(server: Server, make: Make, count: number) {
  const after = await endOf(server.partner);
  const names: string[] = [];
  while (names.length < count) names.push((await make(server)).partner_id);
  const isOwn = (event: Members) => names.some((name) => mentions(name)(event));
  return { after, names, isOwn };
}

/** The events after a position that are wanted, once there are so many. */
export function eventsAfter(
  server: Server,
  after: string | undefined,
  isWanted: (event: Members) => boolean,
  { caller = server.partner, count = 1, ...query }: ReadOptions = {},
): Promise<readonly Members[]> {
  const what = `${count} new events in the feed`;
  return server.until(what, async () => {
    const { events } = await readOn(caller, feed, { ...query, after });
    const found = events.filter(isWanted);
    return found.length >= count ? found : undefined;
  });
}

interface ReadOptions extends Omit<EventQuery, 'after'> {
  readonly caller?: Caller;
  readonly count?: number;
}

/** The time line of a deal, once it has so many events. */
export function timeLine(
  server: Server,
  partner_id: string,
  count = 1,
): Promise<readonly Members[]> {
  return server.until(`${count} events in the time line of the deal`, async () => {
    const { events } = await readOn(server.partner, timeLineOf(partner_id));
    return events.length >= count ? events : undefined;
  });
}

/** The first event of a type in the time line of a deal. */
export function eventOf(server: Server, partner_id: string, type: string): Promise<Members> {
  return server.until(`an event ${type} in the time line of the deal`, async () => {
    const { events } = await readOn(server.partner, timeLineOf(partner_id));
    return events.find((event) => event['type'] === type);
  });
}

/** Waits until all events of what has happened can be read: a later event is there. */
export async function untilSettled(server: Server, make: Make): Promise<void> {
  const after = await endOf(server.partner);
  const { partner_id } = await make(server);
  await eventsAfter(server, after, mentions(partner_id));
}

export const idsOf = (events: readonly Members[]) => events.map(({ id }) => id);
export const typesOf = (events: readonly Members[]) => events.map(({ type }) => type);

/** Texts that no server gives as a cursor. */
export const garbage = ['garbage', 'not a cursor', '{}', '../..', '\u{1f600}', 'x'.repeat(1000)];

/** The form of a ULID. */
export const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The form of a time in RFC 3339. */
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Fails the case unless the text has this form. */
export function expectForm(value: Json, form: RegExp, what: string): void {
  check(typeof value === 'string' && form.test(value), `${what}\n  actual: ${show(value)}`);
}

/** The digest of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((each) => each.toString(16).padStart(2, '0')).join('');
}
