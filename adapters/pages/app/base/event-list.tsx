import type { DomainEvent } from 'dealwright';
import { Moment } from './format.js';
import { Happening } from './history.js';
import type { Column } from './list.js';
import { words } from './screen-words.js';

/** The deal that an event is about. */
const dealOf = ({ subject }: DomainEvent) => /^deal:(.*)$/s.exec(subject)?.[1];

/** The columns of a feed; a page says where a deal is, and who an actor is to its reader. */
export function eventColumns(
  hrefOf: (partner_id: string) => string,
  nameOf: (actor: DomainEvent['actor']) => string,
): readonly Column<DomainEvent>[] {
  const of = words();
  return [
    [
      of.delivery.event,
      ({ type }) => type,
      (event) => (
        <>
          <Happening event={event} currency="" names={of.events} />
          <code class="muted block">{event.type}</code>
        </>
      ),
    ],
    [
      of.feed.subject,
      ({ subject }) => subject,
      (event) => {
        const id = dealOf(event);
        return id === undefined ? (
          <bdi>{event.subject}</bdi>
        ) : (
          <a href={hrefOf(id)} dir="auto">
            {id}
          </a>
        );
      },
    ],
    [of.delivery.id, ({ id }) => id],
    [of.feed.sequence, ({ sequence }) => String(sequence)],
    [
      of.feed.who,
      ({ actor }) => actor,
      ({ actor, at }) => (
        <>
          {nameOf(actor)}, <Moment at={at} />
        </>
      ),
    ],
    [of.made, ({ at }) => at],
    [
      of.feed.data,
      ({ data }) => JSON.stringify(data),
      ({ id, data }) => (
        <details>
          <summary>{of.feed.data}</summary>
          <pre dir="auto">{JSON.stringify({ id, data }, null, 2)}</pre>
        </details>
      ),
    ],
  ];
}
