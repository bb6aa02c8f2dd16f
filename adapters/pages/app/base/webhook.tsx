import { useSignal } from '@preact/signals';
import type { Delivery, Webhook } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { Badge, Button, Facts, Said } from './components.js';
import { type CallError, type Failure, failureOf } from './failure.js';
import { Moment } from './format.js';
import { wordOf } from './language.js';
import type { Column, List } from './list.js';
import { words } from './screen-words.js';
import { announce, focusOn } from './shell.js';

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
) {
  const isBusy = useSignal(false);
  return async (call: () => ResultAsync<Delivery, CallError>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    const sent = await call();
    isBusy.value = false;
    notice.value = sent.isErr() ? failureOf(sent.error) : undefined;
    if (sent.isErr()) return focusOn('notice');
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

const tones = { delivered: 'good', failed: 'bad', pending: 'wait' } as const;
