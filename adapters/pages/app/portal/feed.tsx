import type { DomainEvent } from 'dealwright';
import { Filters } from '../base/filters.js';
import { Moment } from '../base/format.js';
import { Happening } from '../base/history.js';
import { inLanguage } from '../base/language.js';
import { type Column, Rows, useList } from '../base/list.js';
import { hrefOf, route } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { api } from './api.js';
import { actorOf } from './next.js';
import { words } from './words.js';

/** The feed of events, the oldest first, as the service gives it. */
export function Feed() {
  const of = words();
  const { query } = route.value;
  const type = query.get('type') ?? '';
  let start = query.get('after') ?? '';
  const list = useList(`${query}`, ({ page_size, cursor = start }) =>
    api()
      .listEvents(
        { page_size, ...(type !== '' && { type }), ...(cursor !== '' && { after: cursor }) },
        inLanguage(),
      )
      .map((page) => {
        // read again, or saved, it begins at the same place
        if (start === 'end') start = page.next;
        return page;
      }),
  );
  return (
    <>
      <div class="title">
        <Heading>{of.nav.feed}</Heading>
        <p class="muted">{of.feed.help}</p>
      </div>
      <Filters
        section="feed"
        errors={list.failure.value?.fields}
        of={[
          { name: 'type', label: of.webhook.types },
          {
            ...{ name: 'after', label: of.feed.start },
            choices: [
              {
                of: [
                  ['', of.feed.first],
                  ['end', of.feed.now],
                ],
              },
            ],
          },
        ]}
      />
      <section class="card">
        <Rows list={list} name={of.nav.feed} columns={columnsOf()} more={of.feed.more}>
          <p>{of.empty.feed}</p>
        </Rows>
      </section>
    </>
  );
}

/** The deal that an event is about. */
const dealOf = ({ subject }: DomainEvent) => /^deal:(.*)$/s.exec(subject)?.[1];

function columnsOf(): readonly Column<DomainEvent>[] {
  const of = words();
  return [
    [
      of.delivery.event,
      ({ type }) => type,
      (event) => (
        <>
          <Happening event={event} currency="" />
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
          <a href={hrefOf(['deals', id])} dir="auto">
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
          {actorOf(actor)}, <Moment at={at} />
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
