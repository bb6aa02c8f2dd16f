import type { DealListItem, DealListQuery } from 'dealwright';
import { Badge, Button, toneOf } from '../base/components.js';
import { Filters } from '../base/filters.js';
import { Moment, money } from '../base/format.js';
import { inLanguage, wordOf } from '../base/language.js';
import { type Column, Rows, useList } from '../base/list.js';
import { goTo, hrefOf, route } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { api } from './api.js';
import { words } from './words.js';

/** The list of deals, the newest first. */
export function Deals() {
  const of = words();
  const { query } = route.value;
  const list = useList(`${query}`, (page) =>
    api().listDeals({ ...filterOf(query), ...page }, inLanguage()),
  );
  const choices = (table: Readonly<Record<string, string>>) => [
    { of: [['', of.filters.any] as const, ...Object.entries(table)] },
  ];
  return (
    <>
      <div class="title row">
        <Heading>{of.nav.deals}</Heading>
        <a class="button main" href={hrefOf(['new'])}>
          {of.create.open}
        </a>
      </div>
      <Filters
        section="deals"
        errors={list.failure.value?.fields}
        of={[
          { name: 'partner_id', label: of.number },
          { name: 'status', label: of.state, choices: choices(of.status) },
          {
            ...{ name: 'freelancer_status', label: of.freelancer },
            choices: choices(of.freelancerStatus),
          },
          { name: 'email_freelancer', label: of.email },
          { name: 'created_from', label: of.filters.from, type: 'date' },
          { name: 'created_to', label: of.filters.to, type: 'date' },
          {
            ...{ name: 'attention', label: of.money.heading },
            choices: choices({ true: of.filters.attention }),
          },
        ]}
      />
      <section class="card">
        <Rows list={list} name={of.nav.deals} columns={columnsOf()}>
          {query.size > 0 ? (
            <p>{of.empty.filtered}</p>
          ) : (
            <>
              <p>{of.empty.deals}</p>
              <Button kind="main" onClick={() => goTo(hrefOf(['new']))}>
                {of.create.open}
              </Button>
            </>
          )}
        </Rows>
      </section>
    </>
  );
}

/** The filter that an address asks for. */
function filterOf(query: URLSearchParams): DealListQuery {
  const { created_from = '', created_to = '', ...others } = Object.fromEntries(query);
  return {
    // what is no filter of the list is refused by it
    ...(others as DealListQuery),
    ...(created_from !== '' && { created_from: midnight(created_from, 0) }),
    // the last day counts, too
    ...(created_to !== '' && { created_to: midnight(created_to, 1) }),
  };
}

/** The beginning of a day, or of a later one, as the reader's clock has it. */
function midnight(text: string, later: number): string {
  const date = new Date(`${text}T00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function columnsOf(): readonly Column<DealListItem>[] {
  const of = words();
  return [
    [
      of.changes.fields.title,
      ({ title }) => title,
      ({ title, partner_id }) => (
        <>
          <a href={hrefOf(['deals', partner_id])} dir="auto">
            {title}
          </a>
          <bdi class="muted block">{partner_id}</bdi>
        </>
      ),
    ],
    [of.number, ({ partner_id }) => partner_id],
    [of.freelancer, (each) => each.email_freelancer, (each) => <bdi>{each.email_freelancer}</bdi>],
    [
      of.amount,
      ({ amount }) => amount,
      ({ amount, currency }) => <span class="figure">{money(amount, currency)}</span>,
    ],
    [of.currency, ({ currency }) => currency],
    [
      of.state,
      ({ status }) => wordOf(of.status, status),
      ({ status }) => <Badge tone={toneOf(status)}>{wordOf(of.status, status)}</Badge>,
    ],
    [of.answer, ({ freelancer_status }) => wordOf(of.freelancerStatus, freelancer_status)],
    [of.made, ({ created_at }) => created_at, ({ created_at }) => <Moment at={created_at} />],
  ];
}
