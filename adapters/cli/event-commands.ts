import { setTimeout } from 'node:timers/promises';
import type { DomainEvent, EventQuery, EventsPage } from 'dealwright';
import { type ClientReadOptions, eachEventPage } from 'dealwright/client';
import type { Result } from 'neverthrow';
import { asking, type CommandRow, examples, option } from './command-row.js';
import { again } from './deal-commands.js';
import type { Failure } from './describe-failure.js';
import { formatTable, printableJson } from './output.js';
import { say } from './problem.js';
import type { Session } from './session.js';

/** The commands that show events. */
export const eventCommands: Readonly<Record<string, CommandRow>> = {
  'events tail': {
    description: 'show the events of your partner, the oldest first',
    options: [
      option('--follow', 'go on as events come, until it is stopped; begins at the end'),
      option('--after <cursor>', 'where to go on, as the last line before says; end is the end'),
      option('--type <types>', 'types of events, with commas between'),
      option('--deal <partner-id>', 'the time line of this deal alone'),
    ],
    help: examples(
      'dealwright events tail --type deal.accepted,deal.declined',
      'dealwright events tail --follow --json | my-program',
    ),
    ...asking(tailEvents),
  },
};

async function tailEvents(session: Session): Promise<number> {
  const { follow = false, deal, type, json = false } = session.flags;
  const after = session.flags.after ?? (follow ? 'end' : undefined);
  const events = deal === undefined ? feedOf(session) : timeLineOf(session, deal);
  const query: EventQuery = {
    ...(after !== undefined && { after }),
    ...(type !== undefined && deal === undefined && { type }),
  };
  let isFirst = true;
  let next = after;
  const pages = follow ? followEvents(session, events, query) : readEvents(session, events, query);
  for await (const page of pages) {
    if (page.isErr()) return session.fail(page.error);
    next = page.value.next;
    const results =
      deal === undefined ? page.value.results : eventsOfTypes(page.value.results, type);
    if (results.length === 0) continue;
    const text = json
      ? results.map((each) => `${printableJson(each)}\n`).join('')
      : eventTable(results, session, isFirst);
    isFirst = false;
    // dealwright events tail | head: the rest is not wanted
    if (!(await session.write(text))) return 0;
  }
  if (follow || json) return 0;
  const from = next ?? '';
  const hint =
    from === '' ? '' : `next: dealwright events tail ${again(session, { after: from })}\n`;
  await session.write(isFirst ? `no events\n${hint}` : `\n${hint}`);
  return 0;
}

/** The time line of a deal as a feed: it has no cursor `end`. */
function timeLineOf({ api }: Session, partnerId: string): EventLister {
  return {
    async listEvents({ after, page_size = 100 } = {}, options) {
      const from = after === undefined || after === 'end' ? {} : { after };
      let page = await api.listDealEvents(partnerId, { page_size, ...from }, options);
      if (after !== 'end') return page;
      while (page.isOk() && page.value.results.length > 0) {
        const { next } = page.value;
        page = await api.listDealEvents(partnerId, { page_size, after: next }, options);
      }
      return page.map(({ next }): EventsPage => ({ results: [], next }));
    },
  };
}

/** A width that fits most types, so that the columns of all pages line up. */
const typeWidth = 22;

function eventTable(
  events: readonly DomainEvent[],
  { flags, width }: Session,
  isFirst: boolean,
): string {
  // all events of one deal have the same subject
  const last = flags.deal === undefined ? 'subject' : 'actor';
  const head = ['at', 'type'.padEnd(typeWidth), 'sequence', last];
  return formatTable(
    events.map((event) => [
      event.at,
      event.type.padEnd(typeWidth),
      String(event.sequence).padStart('sequence'.length),
      event[last],
    ]),
    { ...(isFirst && { head }), right: [2], flexible: 3, width },
  );
}

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
