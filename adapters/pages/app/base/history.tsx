import { useSignal } from '@preact/signals';
import type { ResultAsync } from 'neverthrow';
import { Button, Card, Said } from './components.js';
import { words } from './failure.js';
import { Moment, money } from './format.js';
import { wordOf } from './language.js';
import { focusOn } from './shell.js';
import { type Happened, textIn } from './terms.js';

type PageOf<E> = { readonly results: readonly E[]; readonly next: string };

/** Every event of a deal, the oldest first; `undefined` if they cannot be read. */
export async function readEvents<E>(
  read: (query: { page_size: number; after?: string }) => ResultAsync<PageOf<E>, unknown>,
): Promise<readonly E[] | undefined> {
  const all: E[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await read({ page_size: 100, ...(after !== undefined && { after }) });
    if (page.isErr()) return undefined;
    const { results, next } = page.value;
    all.push(...results);
    // some may be left out for the reader: an empty page need not be the last
    if (next === after) return all;
    after = next;
  }
}

type EventNames = { readonly other: string };

/** Rows of the time line before all are asked for. */
const firstRows = 8;

/** The time line of a deal in words, the newest first. */
export function History<E extends Happened>(props: {
  readonly events: readonly E[];
  readonly currency: string;
  readonly names: EventNames;
  readonly nameOf: (event: E) => string;
}) {
  const { events, currency, names, nameOf } = props;
  const of = words();
  const isWhole = useSignal(false);
  const all = [...events].reverse();
  if (all.length === 0) return null;
  const rows = isWhole.value ? all : all.slice(0, firstRows);
  return (
    <Card id="history" title={of.history}>
      <ol class="history">
        {rows.map((event) => (
          <li key={event.id}>
            <Happening {...{ event, currency, names }} />
            <p class="muted">
              {nameOf(event)}, <Moment at={event.at} />
            </p>
            {['reason', 'message'].map((each) => {
              const text = textIn(event, each);
              return text !== undefined && <Said key={each} text={text} />;
            })}
          </li>
        ))}
      </ol>
      {rows.length < all.length && (
        <Button
          onClick={() => {
            isWhole.value = true;
            // the button is gone
            focusOn('history');
          }}
        >
          {of.everything}
        </Button>
      )}
    </Card>
  );
}

export function Happening(props: {
  readonly event: Happened;
  readonly currency: string;
  readonly names: EventNames;
}) {
  const { event, currency, names } = props;
  const amount = textIn(event, 'asked') ?? textIn(event, 'amount');
  const unit = textIn(event, 'currency') ?? currency;
  const name = textIn(event, 'name');
  return (
    <p>
      {wordOf(names, event.type, names.other)}
      {amount !== undefined && `: ${money(amount, unit)}`}
      {name !== undefined && (
        <>
          {': '}
          <bdi>{name}</bdi>
        </>
      )}
    </p>
  );
}
