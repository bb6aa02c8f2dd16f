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
import type { EventPage } from '../ports/store.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';

/** How many events of a log a page with a filter examines: a rare type costs no more. */
const mostLookedAt = 1_000;

/** How many of them one read takes. */
const batchSize = 200;

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
  const results: DomainEvent[] = [];
  let next = after;
  for (let lookedAt = 0; ; ) {
    const limit = types === undefined ? page_size : batchSize;
    let found = await ports.eventsAfter(tenant, next, limit);
    const wanted = wantedOf(found, types);
    const last = wanted[page_size - results.length - 1];
    if (last !== undefined && wanted.length > page_size - results.length) {
      // a shorter read gives the cursor of the page
      found = await ports.eventsAfter(tenant, next, last.at + 1);
    }
    if (found.isErr()) return err(found.error);
    if (found.value === 'invalid_cursor') return err({ code: 'invalid_cursor' });
    const { events, cursor, end } = found.value;
    results.push(...wantedOf(found, types).map(({ event }) => readEvent(tenant, event)));
    next = cursor;
    lookedAt += events.length;
    const isOver = events.length === 0 || cursor === end || lookedAt >= mostLookedAt;
    if (isOver || results.length >= page_size) return ok({ results, next });
  }
}

/** The events of these types, and their indexes in the batch. */
function wantedOf(
  found: Result<EventPage | 'invalid_cursor', unknown>,
  types: ReadonlySet<string> | undefined,
) {
  const events = found.isOk() && found.value !== 'invalid_cursor' ? found.value.events : [];
  return events
    .map((event, at) => ({ event, at }))
    .filter(({ event }) => types?.has(event.type) ?? true);
}

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
  const found = await ports.eventsOf(tenant, subject, Number(after), page_size);
  return found.map((events) => ({
    results: events.flatMap(show),
    next: String(events.at(-1)?.sequence ?? after),
  }));
}
