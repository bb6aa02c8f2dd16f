import type { DomainEvent, EventQuery, EventsPage } from 'dealwright';
import { asking, type CommandRow, examples, option } from './command-row.js';
import {
  type EventLister,
  eventsOfTypes,
  feedOf,
  followEvents,
  readEvents,
} from './follow-events.js';
import { printableJson } from './printable.js';
import { again } from './read-commands.js';
import type { Session } from './session.js';
import { formatTable } from './table.js';

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
