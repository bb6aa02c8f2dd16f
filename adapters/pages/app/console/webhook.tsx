import type { Webhook } from 'dealwright';
import { err, ok } from 'neverthrow';
import { useEffect, useMemo } from 'preact/hooks';
import { Ask } from '../base/ask.js';
import { Alert, Button, Card, Field } from '../base/components.js';
import { draft } from '../base/drafts.js';
import { type Failure, failureOf } from '../base/failure.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { Obstacle } from '../base/obstacle.js';
import { hrefOf } from '../base/route.js';
import { announce, Heading } from '../base/shell.js';
import { createView } from '../base/view.js';
import { deliveryColumns, Settings, State, useDelivering } from '../base/webhook.js';
import { partnerApi } from './api.js';
import { words } from './words.js';

type Asked = 'enable' | 'redeliver';

/** A webhook of a partner, with what was sent to it and what it has answered. */
export function WebhookScreen({ partner, id }: { readonly partner: string; readonly id: string }) {
  const of = words();
  const own = () => partnerApi(partner);
  const view = useMemo(
    () =>
      createView<Webhook, Asked>(
        async () => {
          const listed = await own().listWebhooks(inLanguage());
          return listed.andThen((all) => {
            const found = all.find((each) => each.id === id);
            return found === undefined ? err({ code: 'not_found' }) : ok(found);
          });
        },
        ({ status }) => status,
      ),
    [partner, id],
  );
  useEffect(() => void view.load(), [view]);
  const list = useList(id, (page) => own().listDeliveries(id, page, inLanguage()));
  const { seen, failure, notice, opened } = view;
  const deliver = useDelivering(list, notice);
  if (failure.value !== undefined) {
    const back = [hrefOf(['partners', partner]), partner] as const;
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const webhook = seen.value;
  const open = (name: Asked) => () => {
    opened.value = name;
  };
  const close = () => {
    opened.value = undefined;
  };
  return (
    <>
      <div class="title">
        <p class="row muted">
          <a href={hrefOf(['partners', partner])} dir="auto">
            {partner}
          </a>
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
          {webhook.status === 'disabled' && (
            <Button kind="main" onClick={open('enable')}>
              {of.webhook.asks.enable.open}
            </Button>
          )}
          <Button onClick={open('redeliver')}>{of.redelivery.open}</Button>
        </div>
      </Card>
      <Card title={of.delivery.heading}>
        <p class="hint">{of.delivery.help}</p>
        <Rows
          list={list}
          name={of.delivery.heading}
          columns={deliveryColumns((delivery) =>
            deliver(() => own().redeliver(id, delivery.id, inLanguage())),
          )}
        >
          <p>{of.none.deliveries}</p>
        </Rows>
      </Card>
      {opened.value === 'enable' && (
        <Ask
          title={of.webhook.asks.enable.open}
          help={of.webhook.asks.enable.help}
          action={of.webhook.asks.enable.open}
          send={() =>
            view.give('enable', of.webhook.asks.enable.done, () =>
              own().enableWebhook(id, inLanguage()),
            )
          }
          onClose={close}
        />
      )}
      {opened.value === 'redeliver' && (
        <Redelivery {...{ partner, id }} done={list.again} onClose={close} />
      )}
    </>
  );
}

/** Sends again all that was made since a time, batch by batch. */
function Redelivery(props: {
  readonly partner: string;
  readonly id: string;
  readonly done: () => unknown;
  readonly onClose: () => void;
}) {
  const { partner, id, done, onClose } = props;
  const of = words().redelivery;
  const [since, which] = [draft('redelivery.since'), draft('redelivery.which')];
  async function send(): Promise<Failure | undefined> {
    const date = new Date(since.value);
    const time = Number.isNaN(date.getTime()) ? since.value : date.toISOString();
    let count = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const batch = await partnerApi(partner).redeliverAll(
        id,
        {
          since: time,
          which: which.value === 'all' ? 'all' : 'failed',
          ...(cursor !== undefined && { cursor }),
        },
        inLanguage(),
      );
      if (batch.isErr()) {
        announce(of.done(String(count)));
        return failureOf(batch.error);
      }
      count += batch.value.count;
      cursor = batch.value.next;
    }
    await done();
    announce(of.done(String(count)));
    return undefined;
  }
  return (
    <Ask
      {...{ title: of.open, help: of.help, action: of.send, send, onClose }}
      fields={(errors) => (
        <>
          <Field label={of.since} text={since} type="datetime-local" error={errors['since']} />
          <Field
            label={of.which}
            text={which}
            choices={Object.entries({ '': of.failed, all: of.all })}
          />
        </>
      )}
    />
  );
}
