import { setTimeout } from 'node:timers/promises';
import type { DomainEvent, EventQuery, EventsPage } from 'dealwright';
import { type ClientReadOptions, eachEventPage } from 'dealwright/client';
import type { Result } from 'neverthrow';
import type { Failure } from './describe-failure.js';
import { say } from './problem.js';
import type { Session } from './session.js';

/** A list of events: the feed of a partner, or the time line of a deal. */
export interface EventLister {
  listEvents(query?: EventQuery, options?: ClientReadOptions): Promise<Result<EventsPage, Failure>>;
}

/** The feed of the token's partner. */
export function feedOf({ api }: Session): EventLister {
  return { listEvents: async (query, options) => api.listEvents(query, options) };
}

/** Milliseconds of the pauses without events: each twice as long, up to the longest. */
const [shortestPause, longestPause] = [500, 5_000];

/** A page has as many events as the interface allows. */
const page_size = 100;

/** All pages up to the end of a feed. */
export function readEvents({ call }: Session, events: EventLister, query: EventQuery) {
  return eachEventPage(events, { page_size, ...query }, call);
}

/**
 * The pages of a feed, and later ones, until the process is told to stop. Once the service has
 * answered, a time without answers ends nothing: it is reported once, and the service is asked
 * again. The last Result may be an error.
 */
export async function* followEvents(
  session: Session,
  events: EventLister,
  query: EventQuery,
): AsyncGenerator<Result<EventsPage, Failure>, void, undefined> {
  const { signal } = session.call;
  let after = query.after;
  let pause = shortestPause;
  let answering: 'not yet' | 'yes' | 'no longer' = 'not yet';
  while (!signal.aborted) {
    let wanted = pause;
    const asked = after === undefined ? query : { ...query, after };
    for await (const page of readEvents(session, events, asked)) {
      if (signal.aborted) return;
      if (page.isErr()) {
        if (answering === 'not yet' || !isPassing(page.error)) {
          yield page;
          return;
        }
        if (answering === 'yes') {
          pause = shortestPause;
          session.fail(page.error);
          if (session.flags.json !== true) say(session.process, 'asking again until it answers');
        }
        answering = 'no longer';
        wanted = Math.max(pause, retryAfterOf(page.error));
        break;
      }
      yield page;
      after = page.value.next;
      if (answering === 'no longer' || page.value.results.length > 0) pause = shortestPause;
      answering = 'yes';
      wanted = pause;
    }
    pause = Math.min(pause * 2, longestPause);
    await slept(wanted, signal);
  }
}

/** Whether a failure may be over the next time, as those of a service that restarts. */
function isPassing(failure: Failure): boolean {
  return failure.code === 'rate_limited' || (failure.code === 'unavailable' && failure.retryable);
}

/** Milliseconds after which the service may be asked again. */
function retryAfterOf(failure: Failure): number {
  return 'retryAfter' in failure ? (failure.retryAfter ?? 0) * 1000 : 0;
}

/** Waits, and no longer than until the signal is given. */
export async function slept(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** The events of types that are separated by commas, or of every type. */
export function eventsOfTypes(
  events: readonly DomainEvent[],
  types: string | undefined,
): readonly DomainEvent[] {
  const wanted = types?.split(',');
  return wanted === undefined ? events : events.filter(({ type }) => wanted.includes(type));
}
