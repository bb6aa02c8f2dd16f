import { useSignal } from '@preact/signals';
import type { FailedDelivery } from 'dealwright';
import { Alert, Card } from '../base/components.js';
import { eventColumns } from '../base/event-list.js';
import type { Failure } from '../base/failure.js';
import { inLanguage } from '../base/language.js';
import { type Column, Rows, useList } from '../base/list.js';
import { hrefOf } from '../base/route.js';
import { Heading } from '../base/shell.js';
import { Tokens } from '../base/tokens.js';
import { deliveryColumns, useDelivering, webhookColumns } from '../base/webhook.js';
import { api, partnerApi } from './api.js';
import { words } from './words.js';

/** One partner: its webhooks, what was given up, its API tokens, and its feed. */
export function PartnerScreen({ partner }: { readonly partner: string }) {
  const of = words();
  const hooks = useList(partner, () =>
    partnerApi(partner)
      .listWebhooks(inLanguage())
      .map((results) => ({ results, next: null })),
  );
  const failed = useList(partner, (page) =>
    partnerApi(partner).listFailedDeliveries(page, inLanguage()),
  );
  const feed = useList(partner, ({ page_size, cursor }) =>
    api().listEvents(
      { partner, page_size, ...(cursor !== undefined && { after: cursor }) },
      inLanguage(),
    ),
  );
  const notice = useSignal<Failure | undefined>(undefined);
  const deliver = useDelivering(failed, notice);
  const hrefOfWebhook = (id: string) => hrefOf(['partners', partner, 'webhooks', id]);
  const ofWebhook: Column<FailedDelivery> = [
    of.webhook.url,
    ({ webhook_id }) => webhook_id,
    ({ webhook_id }) => (
      <a href={hrefOfWebhook(webhook_id)}>
        {hooks.rows.value.find(({ id }) => id === webhook_id)?.url ?? webhook_id}
      </a>
    ),
  ];
  return (
    <>
      <div class="title">
        <p class="row muted">
          <a href={hrefOf(['partners'])}>{of.nav.partners}</a>
          <a href={hrefOf(['deals'], { partner })}>{of.partners.deals}</a>
        </p>
        <Heading>{partner}</Heading>
      </div>
      <Card title={of.partners.webhooks}>
        <Rows list={hooks} name={of.partners.webhooks} columns={webhookColumns(hrefOfWebhook)}>
          <p>{of.empty.webhooks}</p>
        </Rows>
      </Card>
      <Card title={of.partners.failed}>
        {notice.value !== undefined && (
          <div id="notice" tabIndex={-1}>
            <Alert>{notice.value.message}</Alert>
          </div>
        )}
        <Rows
          list={failed}
          name={of.partners.failed}
          columns={[
            ofWebhook,
            ...deliveryColumns<FailedDelivery>(({ webhook_id, id }) =>
              deliver(() => partnerApi(partner).redeliver(webhook_id, id, inLanguage())),
            ),
          ]}
        >
          <p>{of.empty.failed}</p>
        </Rows>
      </Card>
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
