import type { Webhook } from 'dealwright';
import { useEffect, useMemo } from 'preact/hooks';
import { Ask } from '../base/ask.js';
import { Alert, Button, Card } from '../base/components.js';
import { failureOf } from '../base/failure.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { Obstacle } from '../base/obstacle.js';
import { goTo, hrefOf } from '../base/route.js';
import { announce, Heading } from '../base/shell.js';
import { createView } from '../base/view.js';
import { deliveryColumns, Settings, State, useDelivering } from '../base/webhook.js';
import { api } from './api.js';
import { newSecret } from './webhooks.js';
import { words } from './words.js';

type Asked = 'enable' | 'rotate' | 'remove';

/** One webhook, with what was sent to it and what it has answered. */
export function WebhookScreen({ id }: { readonly id: string }) {
  const of = words();
  const view = useMemo(
    () =>
      createView<Webhook, Asked>(
        async () => api().retrieveWebhook(id, inLanguage()),
        ({ status }) => status,
      ),
    [id],
  );
  useEffect(() => void view.load(), [view]);
  const list = useList(id, (page) => api().listDeliveries(id, page, inLanguage()));
  const { seen, failure, notice, opened } = view;
  const deliver = useDelivering(list, notice);
  const back = [hrefOf(['webhooks']), of.nav.webhooks] as const;
  if (failure.value !== undefined) {
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const webhook = seen.value;

  const open = (name: Asked) => () => {
    opened.value = name;
  };
  return (
    <>
      <div class="title">
        <p class="row muted">
          <a href={hrefOf(['webhooks'])}>{of.nav.webhooks}</a>
          <State of={webhook} />
        </p>
        <Heading>{webhook.url}</Heading>
      </div>
      <Card id="next" title={of.webhook.settings}>
        {notice.value !== undefined && (
          <div id="notice" tabIndex={-1}>
            <Alert>{notice.value.message}</Alert>
          </div>
        )}
        <Settings of={webhook} />
        <div class="actions">
          <Button kind="main" onClick={() => deliver(() => api().testWebhook(id, inLanguage()))}>
            {of.webhook.test}
          </Button>
          {webhook.status === 'disabled' && (
            <Button onClick={open('enable')}>{of.webhook.asks.enable.open}</Button>
          )}
          <Button onClick={open('rotate')}>{of.webhook.asks.rotate.open}</Button>
          <Button kind="quiet" onClick={open('remove')}>
            {of.webhook.asks.remove.open}
          </Button>
        </div>
      </Card>
      <Card title={of.delivery.heading}>
        <p class="hint">{of.delivery.help}</p>
        <Rows
          list={list}
          name={of.delivery.heading}
          columns={deliveryColumns((delivery) =>
            deliver(() => api().redeliver(id, delivery.id, inLanguage())),
          )}
        >
          <p>{of.none.deliveries}</p>
        </Rows>
      </Card>
      {opened.value !== undefined && (
        <Change
          of={opened.value}
          {...{ id, give: view.give }}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </>
  );
}

function Change(props: {
  readonly of: Asked;
  readonly id: string;
  readonly give: ReturnType<typeof createView<Webhook, Asked>>['give'];
  readonly onClose: () => void;
}) {
  const { of: asked, id, give, onClose } = props;
  const say = words().webhook.asks[asked];
  async function send() {
    if (asked === 'enable') {
      return give('enable', say.done, () => api().enableWebhook(id, inLanguage()));
    }
    if (asked === 'rotate') {
      const rotate = async () => {
        const rotated = await api().rotateWebhook(id, inLanguage());
        if (rotated.isOk()) newSecret.value = rotated.value;
        return rotated;
      };
      return give('rotate', say.done, rotate);
    }
    const removed = await api().deleteWebhook(id, inLanguage());
    if (removed.isErr()) return failureOf(removed.error);
    goTo(hrefOf(['webhooks']));
    announce(say.done);
    return undefined;
  }
  return <Ask {...{ title: say.open, help: say.help, action: say.open, send, onClose }} />;
}
