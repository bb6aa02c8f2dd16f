import type { ResultAsync } from 'neverthrow';
import { useEffect } from 'preact/hooks';
import { Alert, Badge, Button, Said, toneOf } from './components.js';
import { type CallError, words } from './failure.js';
import { readEvents } from './history.js';
import { wordOf } from './language.js';
import { Heading } from './shell.js';
import { type Happened, lastOf, type Stage, textIn } from './terms.js';
import { createView } from './view.js';

interface Viewed {
  readonly status: string;
  readonly terms_version: number;
  readonly proposal: { readonly id: string } | null;
  readonly stages: readonly Stage[];
  readonly billing?: { readonly outstanding: string; readonly held: string };
}

export const createDealView = <D extends Viewed, E, Opened>(
  read: () => ResultAsync<D, CallError>,
  readPage: Parameters<typeof readEvents<E>>[0],
) => {
  let events: readonly E[] = [];
  return createView<{ readonly deal: D; readonly events: readonly E[] }, Opened>(
    async () => {
      const reading = readEvents(readPage);
      const found = await read();
      // without its time line, or with that of before, a deal can still be led on
      if (found.isOk()) events = (await reading) ?? events;
      return found.map((deal) => ({ deal, events }));
    },
    ({ deal: { status, terms_version, proposal, stages, billing } }) =>
      [
        ...[status, terms_version, proposal?.id, billing?.outstanding, billing?.held],
        ...stages.map((stage) => stage.status),
      ].join(),
  );
};

/** Reads what is shown, and reads it again once somebody comes back to the page. */
export function useReading(view: { readonly load: () => Promise<void> }): void {
  useEffect(() => {
    void view.load();
    // somebody may have acted while the page was not looked at
    const again = () => document.visibilityState === 'visible' && view.load();
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, [view]);
}

/** The title of a deal, beside its number and its state. */
export function DealTitle(props: {
  readonly deal: { readonly title: string; readonly partner_id?: string; readonly status: string };
  readonly partner?: string;
}) {
  const { deal, partner } = props;
  return (
    <div class="title">
      <p class="row muted">
        {[partner, deal.partner_id].map(
          (each) => each !== undefined && <bdi key={each}>{each}</bdi>,
        )}
        <Badge tone={toneOf(deal.status)}>{wordOf(words().status, deal.status)}</Badge>
      </p>
      <Heading>{deal.title}</Heading>
    </div>
  );
}

/** What went wrong with the whole deal, above its next step. */
export function Notice(props: { readonly text: string; readonly again: () => unknown }) {
  return (
    <div id="notice" tabIndex={-1}>
      <Alert>
        <p>{props.text}</p>
        <Button onClick={props.again}>{words().refresh}</Button>
      </Alert>
    </div>
  );
}

/** Why a deal has ended, or is where it is, if somebody has said so. */
export function Why<E extends Happened>(props: {
  readonly status: string;
  readonly events: readonly E[];
  readonly title: (event: E) => string;
}) {
  const { status, events, title } = props;
  const isToSay = isOver(status) || ['disputed', 'changes_requested'].includes(status);
  const last = isToSay ? lastOf(events, ...endings, `deal.${status}`) : undefined;
  const reason = textIn(last, 'reason') ?? textIn(last, 'message');
  if (last === undefined || reason === undefined) return null;
  return (
    <div class="quote">
      <p class="muted">{title(last as E)}</p>
      <Said text={reason} />
    </div>
  );
}

export const isOver = (status: string) => ['completed', 'cancelled', 'expired'].includes(status);

export const endings = [
  ...['deal.cancelled', 'deal.declined', 'deal.expired', 'deal.dispute_resolved', 'deal.settled'],
];
