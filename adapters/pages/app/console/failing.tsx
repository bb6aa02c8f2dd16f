import type { FailingConsumer } from 'dealwright';
import { inLanguage } from '../base/language.js';
import { type Column, Rows, timeColumn, useList } from '../base/list.js';
import { hrefOf } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { State } from '../base/webhook.js';
import { api } from './api.js';
import { PartnerLink } from './deal-rows.js';
import { words } from './words.js';

/** The webhooks of all partners, and the handlers of the host, that fail. */
export function Failing() {
  const of = words();
  return (
    <>
      <div class="title">
        <Heading>{of.nav.failing}</Heading>
        <p class="muted">{of.failing.help}</p>
      </div>
      <section class="card">
        <FailingRows />
      </section>
    </>
  );
}

/** Those that have failed longest; the first ones, or a page. */
export function FailingRows({ size }: { readonly size?: number }) {
  const of = words();
  const list = useList('', (page) => api().listFailing(page, inLanguage()), size);
  return (
    <Rows list={list} name={of.nav.failing} columns={columnsOf()}>
      <p>{of.empty.failing}</p>
    </Rows>
  );
}

function columnsOf(): readonly Column<FailingConsumer>[] {
  const of = words();
  return [
    [
      of.failing.what,
      ({ name, webhook }) => webhook?.url ?? name,
      ({ partner, name, webhook }) =>
        webhook === null ? (
          <>
            {of.failing.handler} <bdi>{name}</bdi>
          </>
        ) : (
          <a href={hrefOf(['partners', partner, 'webhooks', webhook.id])}>{webhook.url}</a>
        ),
    ],
    [of.partner, ({ partner }) => partner, ({ partner }) => <PartnerLink partner={partner} />],
    [
      of.state,
      ({ webhook }) => (webhook === null ? '' : of.webhook[webhook.status]),
      ({ webhook }) => webhook !== null && <State of={webhook} />,
    ],
    timeColumn(of.since, ({ failing_since }) => failing_since),
  ];
}
