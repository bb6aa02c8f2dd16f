import { err, ok, type Result } from 'neverthrow';
import type { EventsPage } from '../api/answers.js';
import { type DomainEvent, dealSubject, readEvent } from '../domain/events/events.js';
import {
  type ListEventsError,
  type TimeLineError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { jsonBytes } from '../domain/values/json-bytes.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';
import { bytesIn, fitting, longestPage, nextBatch } from './page-of.js';

/** How many events of a log a page with a filter examines: a rare type costs no more. */
const mostLookedAt = 1_000;

/** The most bytes of them. */
const mostRead = 4 * longestPage;

/** How many of them one read takes. */
const batchSize = 64;

/** The bytes of an event before any was read: the first read takes a page of the default size. */
const expected = longestPage / 20;

/** A page of the feed of a partner, the oldest event first (decision 7.1). */
export async function listEvents(
  { ports, parseEventQuery }: Context,
  { tenant }: Call,
  input: unknown,
): Promise<Result<EventsPage, WithoutMessage<ListEventsError>>> {
  const parsed = parseEventQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { after, page_size, type } = parsed.value;
  const types = type === undefined ? undefined : new Set(type.split(','));
  if (after === 'end') {
    const found = await ports.eventsAfter(tenant, undefined, 1);
    if (found.isErr()) return err(found.error);
    const end = found.value === 'invalid_cursor' ? '' : found.value.end;
    return ok({ results: [], next: end });
  }
  const page: Sized<DomainEvent>[] = [];
  let next = after;
  let [lookedAt, read, longest] = [0, 0, 1];
  for (;;) {
    const most = types === undefined ? page_size - page.length : batchSize;
    const limit = nextBatch({ longest: read > 0 ? longest : expected, held: bytesIn(page), most });
    let found = await ports.eventsAfter(tenant, next, limit);
    if (found.isErr()) return err(found.error);
    if (found.value === 'invalid_cursor') return err({ code: 'invalid_cursor' });
    const events = found.value.events.map((event) => sized(readEvent(tenant, event)));
    const wanted = events.filter(({ shown }) => types?.has(shown.type) ?? true);
    const size = fitting([...page, ...wanted], page_size);
    const isFull = size < page.length + wanted.length || size === page_size;
    const last = wanted[size - page.length - 1];
    // a page that is full without this read has a cursor
    if (isFull && last === undefined) return ok(pageWith(page, next ?? ''));
    const upTo = last === undefined ? events.length : events.indexOf(last) + 1;
    if (isFull && upTo < events.length) {
      // a shorter read gives the cursor after the last event of the page
      found = await ports.eventsAfter(tenant, next, upTo);
      if (found.isErr()) return err(found.error);
      if (found.value === 'invalid_cursor') return err({ code: 'invalid_cursor' });
    }
    const { cursor, end } = found.value;
    page.push(...wanted.slice(0, size - page.length));
    next = cursor;
    lookedAt += events.length;
    read += bytesIn(events);
    longest = longestOf(events, longest);
    const isOver = events.length === 0 || cursor === end;
    const isMuch = lookedAt >= mostLookedAt || read >= mostRead;
    if (isFull || isOver || isMuch) return ok(pageWith(page, next));
  }
}

/** An event as a page shows it, and its bytes there. */
interface Sized<T> {
  readonly shown: T;
  readonly bytes: number;
}

const sized = <T>(shown: T): Sized<T> => ({ shown, bytes: jsonBytes(shown) });

const pageWith = <T>(page: readonly Sized<T>[], next: string): PageOf<T> => ({
  results: page.map(({ shown }) => shown),
  next,
});

/** The bytes of the longest event so far. */
const longestOf = (events: readonly Sized<unknown>[], before: number): number =>
  Math.max(before, ...events.map(({ bytes }) => bytes));

interface PageOf<T> {
  readonly results: readonly T[];
  readonly next: string;
}

/** The events of a deal, the oldest first (decision 7.1). */
export async function listDealEvents<T, R>(
  { ports, parseEventQuery }: Context,
  { tenant }: Call,
  finder: Finder<R>,
  input: unknown,
  show: (event: Row<'event'>) => readonly T[],
): Promise<Result<PageOf<T>, R | WithoutMessage<TimeLineError>>> {
  const parsed = parseEventQuery(input === undefined ? {} : input);
  // a deal that the caller may not see is refused first
  const deal = await finder.find([]);
  if (deal.isErr()) return err(deal.error);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { after = '0', page_size } = parsed.value;
  // the cursor of one subject is a sequence
  if (!/^(?:0|[1-9]\d{0,14})$/.test(after)) return err({ code: 'invalid_cursor' });
  const subject = dealSubject(deal.value.deal);
  const page: (Sized<readonly T[]> & { readonly sequence: number })[] = [];
  for (;;) {
    const longest = page.length === 0 ? expected : longestOf(page, 1);
    const limit = nextBatch({ longest, held: bytesIn(page), most: page_size - page.length });
    const before = page.at(-1)?.sequence ?? Number(after);
    const found = await ports.eventsOf(tenant, subject, before, limit);
    if (found.isErr()) return err(found.error);
    page.push(...found.value.map((row) => ({ ...sized(show(row)), sequence: row.sequence })));
    const size = fitting(page, page_size);
    if (size < page.length || size === page_size || found.value.length < limit) {
      const events = page.slice(0, size);
      return ok({
        results: events.flatMap(({ shown }) => shown),
        next: String(events.at(-1)?.sequence ?? after),
      });
    }
  }
}
