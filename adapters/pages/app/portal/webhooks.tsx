import { signal, useSignal } from '@preact/signals';
import type { WebhookCreated } from 'dealwright';
import { Ask } from '../base/ask.js';
import { Entries, type Entry, givenIn } from '../base/command.js';
import { Button, Dialog, Said } from '../base/components.js';
import { Copy } from '../base/copy.js';
import { dropDrafts } from '../base/drafts.js';
import { failureOf } from '../base/failure.js';
import { inLanguage } from '../base/language.js';
import { Rows, useList } from '../base/list.js';
import { goTo, hrefOf } from '../base/route.js';
import { announce, Heading, keepFocus } from '../base/shell.js';
import { Tokens } from '../base/tokens.js';
import { webhookColumns } from '../base/webhook.js';
import { api } from './api.js';
import { words } from './words.js';

/** A webhook whose secret was just made: no other answer shows it again. */
export const newSecret = signal<WebhookCreated | undefined>(undefined);

/** Shows a new secret, once, on whatever screen: the one of its webhook may not be there. */
export function Secret() {
  const of = words().secret;
  if (newSecret.value === undefined) return null;
  const { url, secret } = newSecret.value;
  const close = () => {
    newSecret.value = undefined;
    // what had opened it may be gone
    keepFocus('next');
  };
  return (
    <Dialog title={of.title} onClose={close}>
      <Said text={url} />
      <p>{of.help}</p>
      <Copy label={of.label} text={secret} />
      <div class="actions">
        <Button kind="main" onClick={close}>
          {of.kept}
        </Button>
      </div>
    </Dialog>
  );
}

/** What programs of the partner use: its webhooks and its API tokens. */
export function Webhooks() {
  const of = words();
  const isOpen = useSignal(false);
  const list = useList('', () =>
    api()
      .listWebhooks(inLanguage())
      .map((results) => ({ results, next: null })),
  );
  const open = () => {
    isOpen.value = true;
  };
  return (
    <>
      <div class="title row">
        <Heading>{of.nav.webhooks}</Heading>
        <Button kind="main" onClick={open}>
          {of.webhook.add}
        </Button>
      </div>
      <section class="card">
        {list.failure.value?.isMissing === true ? (
          <p>{of.empty.noWebhooks}</p>
        ) : (
          <Rows
            list={list}
            name={of.nav.webhooks}
            columns={webhookColumns((id) => hrefOf(['webhooks', id]))}
          >
            <p>{of.empty.webhooks}</p>
          </Rows>
        )}
      </section>
      <Tokens partner="" read={() => api().listTokens(inLanguage())}>
        <p>{of.empty.tokens}</p>
      </Tokens>
      {isOpen.value && (
        <Add
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function Add({ onClose }: { readonly onClose: () => void }) {
  const of = words().webhook;
  const form = 'webhook';
  const orders = Object.entries({ '': of.anyOrder, true: of.inOrder });
  const entries: readonly Entry[] = [
    { name: 'url', label: of.url },
    { name: 'ordered', label: of.order, choices: orders },
    { name: 'types', label: of.types, isOptional: true, lines: 3 },
  ];
  return (
    <Ask
      {...{ title: of.add, help: of.help, action: of.add, onClose }}
      send={async () => {
        const { url = '', types = '', ordered } = givenIn(form, entries);
        const made = await api().createWebhook(
          {
            ...{ url, ordered: ordered === 'true' },
            types: types.split(/[\s,]+/).filter((each) => each !== ''),
          },
          inLanguage(),
        );
        if (made.isErr()) return failureOf(made.error);
        dropDrafts(form);
        newSecret.value = made.value;
        goTo(hrefOf(['webhooks', made.value.id]));
        announce(of.added);
        return undefined;
      }}
      fields={(errors) => {
        const [, wrong] = Object.entries(errors).find(([path]) => path.startsWith('types')) ?? [];
        return (
          <>
            <Entries
              {...{ form, of: entries }}
              errors={{ ...errors, ...(wrong && { types: wrong }) }}
            />
            <p class="hint">{of.typesHelp}</p>
          </>
        );
      }}
    />
  );
}
