import { eventColumns } from '../base/event-list.js';
import { Filters } from '../base/filters.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
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
            choices: Object.entries({ '': of.feed.first, end: of.feed.now }),
          },
        ]}
      />
      <section class="card">
        <Rows
          list={list}
          name={of.nav.feed}
          columns={eventColumns((id) => hrefOf(['deals', id]), actorOf)}
          more={of.feed.more}
        >
          <p>{of.none.feed}</p>
        </Rows>
      </section>
    </>
  );
}
