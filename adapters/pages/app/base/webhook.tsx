import { useSignal } from '@preact/signals';
import type { Delivery, OperatorWebhooks, Webhook, WebhookDelivery } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { ComponentChildren } from 'preact';
import { Alert, Badge, Button, Card, Facts, Said } from './components.js';
import { type CallError, type Failure, failureOf } from './failure.js';
import { Moment } from './format.js';
import { inLanguage, wordOf } from './language.js';
import { type Column, type List, Rows, useList } from './list.js';
import { words } from './screen-words.js';
import { announce, focusOn } from './shell.js';

/** The calls of a partner, or of the operator for one. */
type Webhooks = Pick<OperatorWebhooks, 'listWebhooks' | 'listDealDeliveries' | 'redeliver'>;

/** Whether a webhook is switched on. */
export function State({ of: { status, disabled_reason } }: { readonly of: Webhook }) {
  const { webhook } = words();
  return (
    <Badge tone={status === 'enabled' ? 'good' : 'bad'}>
      {disabled_reason === null ? webhook[status] : webhook[disabled_reason]}
    </Badge>
  );
}

/** What a webhook is set to. */
export function Settings({ of: { types, ordered, created_at } }: { readonly of: Webhook }) {
  const { webhook, made } = words();
  return (
    <Facts
      of={[
        [webhook.types, types.join(', ') || webhook.all],
        [webhook.order, ordered ? webhook.inOrder : webhook.anyOrder],
        [made, <Moment key="made" at={created_at} />],
      ]}
    />
  );
}

export function webhookColumns(hrefOf: (id: string) => string): readonly Column<Webhook>[] {
  const of = words();
  return [
    [of.webhook.url, ({ url }) => url, ({ id, url }) => <a href={hrefOf(id)}>{url}</a>],
    [
      of.webhook.types,
      ({ types }) => types.join(' '),
      ({ types }) => <Said text={types.length === 0 ? of.webhook.all : types.join('\n')} />,
    ],
    [of.state, ({ status }) => of.webhook[status], (each) => <State of={each} />],
    [of.made, ({ created_at }) => created_at, ({ created_at }) => <Moment at={created_at} />],
  ];
}

/** Sends something, once at a time, and shows its delivery in the list. */
export function useDelivering<D extends Delivery>(
  { rows }: List<D>,
  notice: { value: Failure | undefined },
  noticeId = 'notice',
) {
  const isBusy = useSignal(false);
  return async (call: () => ResultAsync<Delivery, CallError>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    const sent = await call();
    isBusy.value = false;
    notice.value = sent.isErr() ? failureOf(sent.error) : undefined;
    if (sent.isErr()) return focusOn(noticeId);
    const isSent = ({ id }: D) => id === sent.value.id;
    rows.value = rows.value.some(isSent)
      ? rows.value.map((each) => (isSent(each) ? { ...each, ...sent.value } : each))
      : [sent.value as D, ...rows.value];
    const { webhook, deliveryStatus } = words();
    announce(`${webhook.sent} ${wordOf(deliveryStatus, sent.value.status)}`);
  };
}

export function deliveryColumns<D extends Delivery>(
  redeliver: (delivery: D) => unknown,
): readonly Column<D>[] {
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
      (delivery) =>
        delivery.type !== 'webhook.test' && (
          <Button
            label={`${of.delivery.again}: ${delivery.type}`}
            onClick={() => redeliver(delivery)}
          >
            {of.delivery.again}
          </Button>
        ),
    ],
  ];
}

/** What was sent to all webhooks of a partner, and a button that sends it again. */
export function Deliveries(props: {
  readonly title: string;
  readonly list: List<WebhookDelivery> & { readonly id: string };
  /** Their addresses are shown once they are read. */
  readonly webhooks: List<Webhook>;
  readonly hrefOf: (webhook_id: string) => string;
  readonly client: () => Webhooks;
  readonly children: ComponentChildren;
}) {
  const { title, list, webhooks, hrefOf, client, children } = props;
  const notice = useSignal<Failure | undefined>(undefined);
  const noticeId = `${list.id}-notice`;
  const deliver = useDelivering(list, notice, noticeId);
  const ofWebhook: Column<WebhookDelivery> = [
    words().webhook.url,
    ({ webhook_id }) => webhook_id,
    ({ webhook_id }) => (
      <a href={hrefOf(webhook_id)}>
        {webhooks.rows.value.find(({ id }) => id === webhook_id)?.url ?? webhook_id}
      </a>
    ),
  ];
  // a service without webhooks
  if (list.failure.value?.isMissing === true) return null;
  return (
    <Card title={title}>
      {notice.value !== undefined && (
        <div id={noticeId} tabIndex={-1}>
          <Alert>{notice.value.message}</Alert>
        </div>
      )}
      <Rows
        list={list}
        name={title}
        columns={[
          ofWebhook,
          ...deliveryColumns<WebhookDelivery>(({ webhook_id, id }) =>
            deliver(() => client().redeliver(webhook_id, id, inLanguage())),
          ),
        ]}
      >
        {children}
      </Rows>
    </Card>
  );
}

/** What was sent of the events of a deal. */
export function DealDeliveries(props: {
  readonly id: string;
  readonly client: () => Webhooks;
  readonly hrefOf: (webhook_id: string) => string;
}) {
  const { id, client } = props;
  const of = words();
  const list = useList(id, (page) => client().listDealDeliveries(id, page, inLanguage()));
  return (
    <Deliveries
      {...props}
      title={of.delivery.heading}
      list={list}
      webhooks={useWebhooks(id, client)}
    >
      <p>{of.none.deliveries}</p>
    </Deliveries>
  );
}

/** The webhooks of a partner: all on one page. */
export const useWebhooks = (key: string, client: () => Pick<Webhooks, 'listWebhooks'>) =>
  useList(key, () =>
    client()
      .listWebhooks(inLanguage())
      .map((results) => ({ results, next: null })),
  );

const tones = { delivered: 'good', failed: 'bad', pending: 'wait' } as const;
