import { useSignal } from '@preact/signals';
import type { OperatorDealPage } from 'dealwright';
import type { Result } from 'neverthrow';
import { useEffect } from 'preact/hooks';
import { plus } from '../base/amounts.js';
import { Alert, Card } from '../base/components.js';
import { eventColumns } from '../base/event-list.js';
import { type CallError, failureOf } from '../base/failure.js';
import { listed, money } from '../base/format.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { hrefOf } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { Tokens } from '../base/tokens.js';
import { Deliveries, useWebhooks, webhookColumns } from '../base/webhook.js';
import { api, partnerApi } from './api.js';
import { words } from './words.js';

/** One partner: its volume, its webhooks, what was given up, its API tokens, and its feed. */
export function PartnerScreen({ partner }: { readonly partner: string }) {
  const of = words();
  const client = () => partnerApi(partner);
  const hooks = useWebhooks(partner, client);
  const failed = useList(partner, (page) => client().listFailedDeliveries(page, inLanguage()));
  const feed = useList(partner, ({ page_size, cursor }) =>
    api().listEvents(
      { partner, page_size, ...(cursor !== undefined && { after: cursor }) },
      inLanguage(),
    ),
  );
  const hrefOfWebhook = (id: string) => hrefOf(['partners', partner, 'webhooks', id]);
  return (
    <>
      <div class="title">
        <p class="row muted">
          <a href={hrefOf(['partners'])}>{of.nav.partners}</a>
          <a href={hrefOf(['deals'], { partner })}>{of.partners.deals}</a>
        </p>
        <Heading>{partner}</Heading>
      </div>
      <Volume key={partner} partner={partner} />
      <Card title={of.partners.webhooks}>
        <Rows list={hooks} name={of.partners.webhooks} columns={webhookColumns(hrefOfWebhook)}>
          <p>{of.empty.webhooks}</p>
        </Rows>
      </Card>
      <Deliveries
        title={of.partners.failed}
        list={failed}
        webhooks={hooks}
        client={client}
        hrefOf={hrefOfWebhook}
      >
        <p>{of.empty.failed}</p>
      </Deliveries>
      <Tokens partner={partner} read={() => partnerApi(partner).listTokens(inLanguage())}>
        <p>{of.empty.tokens}</p>
      </Tokens>
      <Card title={of.partners.feed}>
        <Rows
          list={feed}
          name={of.partners.feed}
          columns={eventColumns(
            (id) => hrefOf(['deals', partner, id]),
            (actor) => of.who[actor],
          )}
          more={of.feed.more}
        >
          <p>{of.none.feed}</p>
        </Rows>
      </Card>
    </>
  );
}

const month = 30 * 86_400_000;

/** How much a partner has commissioned of late. */
function Volume({ partner }: { readonly partner: string }) {
  const { loading, partners } = words();
  const page = useSignal<Result<OperatorDealPage, CallError> | undefined>(undefined);
  useEffect(() => {
    void (async () => {
      const created_from = new Date(Date.now() - month).toISOString();
      page.value = await api().listDeals({ partner, created_from, page_size: 100 }, inLanguage());
    })();
  }, []);
  const read = page.value;
  return (
    <Card title={partners.volume}>
      {read === undefined ? (
        <p class="loading muted">{loading} …</p>
      ) : read.isErr() ? (
        <Alert>{failureOf(read.error).message}</Alert>
      ) : (
        <p class="strong">{volumeOf(read.value)}</p>
      )}
    </Card>
  );
}

function volumeOf({ results, next }: OperatorDealPage): string {
  const { partners } = words();
  if (next !== null) return partners.manyDeals;
  const sums = new Map<string, string>();
  for (const { amount, currency } of results) {
    sums.set(currency, plus(sums.get(currency) ?? '0.00', amount));
  }
  const worth = listed([...sums].map(([currency, sum]) => money(sum, currency)));
  const deals = partners.countDeals(String(results.length));
  return worth === '' ? deals : `${deals}, ${worth}`;
}
