import type { DealListItem, DealListQuery } from 'dealwright';
import { Badge, type Choice, toneOf } from './components.js';
import { money } from './format.js';
import { wordOf } from './language.js';
import { type Column, timeColumn } from './list.js';
import { words } from './screen-words.js';

/** The values of a filter, after the choice of all. */
export const choicesOf = (table: Readonly<Record<string, string>>): readonly Choice[] =>
  Object.entries({ '': words().filters.any, ...table });

/** The filters of a list of deals; `number` is what its page calls a `partner_id`. */
export function dealFilters(number: string) {
  const of = words();
  return [
    { name: 'partner_id', label: number },
    { name: 'status', label: of.state, choices: choicesOf(of.status) },
    {
      name: 'freelancer_status',
      label: of.freelancer,
      choices: choicesOf(of.freelancerStatus),
    },
    { name: 'email_freelancer', label: of.email },
    { name: 'created_from', label: of.filters.from, type: 'date' },
    { name: 'created_to', label: of.filters.to, type: 'date' },
    {
      name: 'attention',
      label: of.filters.money,
      choices: choicesOf({ true: of.filters.attention }),
    },
  ] as const;
}

export function filterOf(query: URLSearchParams): DealListQuery {
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
export function midnight(text: string, later: number): string {
  const date = new Date(`${text}T00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

export function dealColumns<D extends DealListItem>(
  number: string,
  hrefOf: (deal: D) => string,
): readonly Column<D>[] {
  const of = words();
  return [
    [
      of.changes.fields.title,
      ({ title }) => title,
      (deal) => (
        <>
          <a href={hrefOf(deal)} dir="auto">
            {deal.title}
          </a>
          <bdi class="muted block">{deal.partner_id}</bdi>
        </>
      ),
    ],
    [number, ({ partner_id }) => partner_id],
    [of.freelancer, (each) => each.email_freelancer, (each) => <bdi>{each.email_freelancer}</bdi>],
    [
      of.amount,
      ({ amount }) => ({ amount }),
      ({ amount, currency }) => <span class="figure">{money(amount, currency)}</span>,
    ],
    [of.currency, ({ currency }) => currency],
    [
      of.state,
      ({ status }) => wordOf(of.status, status),
      ({ status }) => <Badge tone={toneOf(status)}>{wordOf(of.status, status)}</Badge>,
    ],
    [of.answer, ({ freelancer_status }) => wordOf(of.freelancerStatus, freelancer_status)],
    timeColumn(of.made, ({ created_at }) => created_at),
  ];
}
