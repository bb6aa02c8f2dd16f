import { Button } from '../base/components.js';
import { dealColumns, dealFilters, filterOf } from '../base/deal-list.js';
import { Filters } from '../base/filters.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { goTo, hrefOf, route } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { api } from './api.js';
import { words } from './words.js';

export function Deals() {
  const of = words();
  const { query } = route.value;
  const list = useList(`${query}`, (page) =>
    api().listDeals({ ...filterOf(query), ...page }, inLanguage()),
  );
  return (
    <>
      <div class="title row">
        <Heading>{of.nav.deals}</Heading>
        <a class="button main" href={hrefOf(['new'])}>
          {of.create.open}
        </a>
      </div>
      <Filters section="deals" errors={list.failure.value?.fields} of={dealFilters(of.number)} />
      <section class="card">
        <Rows
          list={list}
          name={of.nav.deals}
          columns={dealColumns(of.number, ({ partner_id }) => hrefOf(['deals', partner_id]))}
        >
          {query.size > 0 ? (
            <p>{of.none.filtered}</p>
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
