import { type Signal, useSignal } from '@preact/signals';
import type { DealMatch, OperatorDealItem, OperatorDealQuery } from 'dealwright';
import { ActionForm } from '../base/action-form.js';
import { Field } from '../base/components.js';
import { choicesOf, dealFilters, filterOf, midnight } from '../base/deal-list.js';
import { Filters } from '../base/filters.js';
import { inLanguage } from '../base/language.js';
import { Rows, textColumn, useList } from '../base/list.js';
import { goTo, hrefOf, route } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { api } from './api.js';
import { dealRowColumns } from './deal-rows.js';
import { words } from './words.js';

/** The deals of all partners, found by a text or by filters. */
export function Deals() {
  const of = words();
  const text = useSignal(route.value.query.get('text') ?? '');
  return (
    <>
      <div class="title">
        <Heading>{of.nav.deals}</Heading>
      </div>
      <search class="card">
        <ActionForm
          action={of.search.send}
          send={async () => {
            goTo(hrefOf(['deals'], { text: text.value.trim() }));
            return undefined;
          }}
        >
          {() => <Field label={of.search.label} text={text} />}
        </ActionForm>
        <p class="hint">{of.search.help}</p>
      </search>
      {route.value.query.has('text') ? <Found /> : <Listed />}
    </>
  );
}

type Hit = OperatorDealItem & { readonly match: DealMatch };

function Found() {
  const of = words();
  const text = route.value.query.get('text') ?? '';
  const isMore = useSignal(false);
  const list = useList<Hit>(text, () => search(text, isMore));
  const matched = textColumn<Hit>(of.search.matched, ({ match }) => of.search.match[match]);
  return (
    <section class="card">
      {isMore.value && <p>{of.search.isMore}</p>}
      <Rows list={list} name={of.nav.deals} columns={[matched, ...dealRowColumns<Hit>()]}>
        <p>{of.search.nothing}</p>
      </Rows>
      <a href={hrefOf(['deals'])}>{of.filter.clear}</a>
    </section>
  );
}

/** A search has no pages: it finds up to a hundred. */
const search = (text: string, isMore: Signal<boolean>) =>
  api()
    .searchDeals({ text, page_size: 100 }, inLanguage())
    .map(({ results, is_more }) => {
      isMore.value = is_more;
      return { results, next: null };
    });

function Listed() {
  const of = words();
  const { query } = route.value;
  const list = useList(`${query}`, (page) =>
    api().listDeals({ ...queryOf(query), ...page }, inLanguage()),
  );
  return (
    <>
      <Filters
        section="deals"
        errors={list.failure.value?.fields}
        of={[
          { name: 'alert', label: of.waits, choices: choicesOf(alerts()) },
          { name: 'stuck_since', label: of.stuck, type: 'date' },
          { name: 'partner', label: of.partner },
          ...dealFilters(of.number),
        ]}
      />
      <section class="card">
        <Rows list={list} name={of.nav.deals} columns={dealRowColumns()}>
          <p>{query.size > 0 ? of.none.filtered : of.empty.deals}</p>
        </Rows>
      </section>
    </>
  );
}

function alerts() {
  const { webhook_failing: _, report_unmatched: __, ...others } = words().alerts;
  return others;
}

function queryOf(query: URLSearchParams): OperatorDealQuery {
  const stuck = query.get('stuck_since');
  return { ...filterOf(query), ...(stuck !== null && { stuck_since: midnight(stuck, 0) }) };
}
