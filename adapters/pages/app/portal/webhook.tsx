import { useSignal } from '@preact/signals';
import type { Delivery, Webhook } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { useEffect, useMemo } from 'preact/hooks';
import { Ask } from '../base/ask.js';
import { Alert, Badge, Button, Card, Facts } from '../base/components.js';
import { type CallError, failureOf } from '../base/failure.js';
import { Moment } from '../base/format.js';
import { inLanguage, wordOf } from '../base/language.js';
import { type Column, Rows, useList } from '../base/list.js';
import { Obstacle } from '../base/obstacle.js';
import { goTo, hrefOf } from '../base/route.js';
import { announce, focusOn, Heading } from '../base/shell.js';
import { createView } from '../base/view.js';
import { api } from './api.js';
import { newSecret, State } from './webhooks.js';
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
  const isBusy = useSignal(false);
  const { seen, failure, notice, opened } = view;
  const back = [hrefOf(['webhooks']), of.nav.webhooks] as const;
  if (failure.value !== undefined) {
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const webhook = seen.value;

  /** Sends something, and shows its delivery in the list. */
  async function deliver(call: () => ResultAsync<Delivery, CallError>): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    const sent = await call();
    isBusy.value = false;
    notice.value = sent.isErr() ? failureOf(sent.error) : undefined;
    if (sent.isErr()) return focusOn('notice');
    const { rows } = list;
    const isKnown = rows.value.some((each) => each.id === sent.value.id);
    rows.value = isKnown
      ? rows.value.map((each) => (each.id === sent.value.id ? sent.value : each))
      : [sent.value, ...rows.value];
    announce(`${of.webhook.sent} ${wordOf(of.deliveryStatus, sent.value.status)}`);
  }

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
        <Facts
          of={[
            [of.webhook.types, webhook.types.join(', ') || of.webhook.all],
            [of.webhook.order, webhook.ordered ? of.webhook.inOrder : of.webhook.anyOrder],
            [of.made, <Moment key="made" at={webhook.created_at} />],
          ]}
        />
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
          columns={columnsOf((delivery_id) =>
            deliver(() => api().redeliver(id, delivery_id, inLanguage())),
          )}
        >
          <p>{of.empty.deliveries}</p>
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

function columnsOf(redeliver: (id: string) => unknown): readonly Column<Delivery>[] {
  const of = words();
  const said = ({ status_code, error }: Delivery['attempts'][number]) =>
    status_code === null ? (error ?? '') : String(status_code);
  return [
    [
      of.delivery.event,
      ({ type }) => type,
      ({ type, event_id }) => (
        <>
          {wordOf(of.events, type, of.events.other)}
          <code class="muted block">{type}</code>
          <code class="muted block">{event_id}</code>
        </>
      ),
    ],
    [of.delivery.id, ({ event_id }) => event_id],
    [
      of.state,
      ({ status }) => of.deliveryStatus[status],
      ({ status, next_attempt_at }) => (
        <>
          <Badge tone={tones[status]}>{of.deliveryStatus[status]}</Badge>
          {next_attempt_at !== null && (
            <span class="muted block">
              {of.delivery.next} <Moment at={next_attempt_at} />
            </span>
          )}
        </>
      ),
    ],
    [
      of.delivery.answers,
      ({ attempts }) => attempts.map((each) => `${each.at} ${said(each)}`).join('; '),
      ({ attempts }) => (
        <ul class="attempts">
          {attempts.map((attempt) => (
            <li key={attempt.at}>
              <Moment at={attempt.at} />: <strong dir="auto">{said(attempt)}</strong>
              {attempt.response !== null && (
                <code class="block" dir="auto">
                  {attempt.response}
                </code>
              )}
            </li>
          ))}
        </ul>
      ),
    ],
    [
      of.delivery.again,
      undefined,
      // a test is in no list, and is not sent again
      ({ id, type }) =>
        type !== 'webhook.test' && (
          <Button label={`${of.delivery.again}: ${type}`} onClick={() => redeliver(id)}>
            {of.delivery.again}
          </Button>
        ),
    ],
  ];
}

const tones = { delivered: 'good', failed: 'bad', pending: 'wait' } as const;
