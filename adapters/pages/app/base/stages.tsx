import type { ComponentChildren } from 'preact';
import { Badge, Facts, toneOf } from './components.js';
import { words } from './failure.js';
import { day, Moment, moment, money } from './format.js';
import { wordOf } from './language.js';
import { type Stage, worthOf } from './terms.js';

/** A stage of a deal: where it stands, what it is worth and until when it is due. */
export function StageItem(props: {
  readonly stage: Stage;
  readonly currency: string;
  /** What is known of a single stage from its deal is not said again. */
  readonly isSingle: boolean;
  readonly children?: ComponentChildren;
}) {
  const { stage, currency, isSingle, children } = props;
  const of = words();
  const { name, due_on, review_ends_at, work_days } = stage;
  const facts = [
    ...(isSingle ? [] : [[of.amount, money(worthOf(stage), currency)] as const]),
    ...(due_on === null
      ? work_days === null
        ? []
        : [[of.days, String(work_days)] as const]
      : [[of.due, day(due_on)] as const]),
    ...(review_ends_at === null ? [] : [[of.counts, moment(review_ends_at)] as const]),
  ];
  return (
    <article class="stage">
      <header class="row">
        {!isSingle && <h3 dir="auto">{name}</h3>}
        <Badge tone={toneOf(stage.status)}>{wordOf(of.stageStatus, stage.status)}</Badge>
      </header>
      {facts.length > 0 && <Facts of={facts} />}
      {children}
    </article>
  );
}

/** Payments of a deal, in either direction, with their states. */
export function Payments(props: {
  readonly of: readonly {
    readonly id: string;
    readonly amount: string;
    readonly status: string;
    readonly updated_at: string;
  }[];
  readonly currency: string;
  readonly statusWords: object;
}) {
  const { of, currency, statusWords } = props;
  return (
    <ul class="rows">
      {of.map(({ id, amount, status, updated_at }) => (
        <li key={id} class="row">
          <strong>{money(amount, currency)}</strong>
          <Badge tone={toneOf(status)}>{wordOf(statusWords, status)}</Badge>
          <span class="muted">
            <Moment at={updated_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
