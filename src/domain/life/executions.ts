import {
  type Changes,
  createDraft,
  type DealState,
  type Draft,
  type Moment,
  paymentEvent,
} from '../payments/draft.js';
import { accept, endIntents, isRefund, isTaken, leftOf, mayBeDone } from '../payments/intents.js';
import { noteFailed } from '../payments/refunds.js';
import { endPayment } from '../payments/settle.js';
import type { Row } from '../records/records.js';
import { isOpen, type RefusalReason, type WaitReason } from '../values/payment-status.js';
import { movedBy } from '../values/timestamp.js';
import { setAlert } from './alerts.js';
import { finish } from './decide.js';
import type { Lifecycle } from './rules.js';

type Intent = Row<'intent'>;

/** The intent, if it is to be executed now. */
export function dueIntent({ intent }: DealState, id: string, now: string): Intent | undefined {
  return intent.find(
    (each) => each.id === id && each.status === 'pending' && (each.due_at ?? now + 1) <= now,
  );
}

/**
 * Takes an intent over: no other process executes it within the lease. From here on its money may be
 * on its way, so the deal does not use it for anything else.
 */
export function claim(state: DealState, intent: Intent, moment: Moment, lease: number): Changes {
  const draft = createDraft(state, moment);
  const { now, real = now } = moment;
  const isFirst = !mayBeDone(intent);
  const isKept = intent.outcome === 'none' || intent.outcome === 'unknown';
  draft.change('intent', intent, {
    due_at: movedBy(real, lease),
    attempts: intent.attempts + 1,
    outcome: isFirst ? 'calling' : 'unknown',
    outcome_at: isKept ? intent.outcome_at : now,
  });
  const payout = draft.find('contractor_payment', intent.payment_id);
  if (payout?.status === 'scheduled') {
    draft.change('contractor_payment', payout, { status: 'processing' });
  }
  // the call before it has never ended
  if (intent.outcome === 'calling') tellProcessing(draft, intent);
  setAlert(draft);
  return draft.changes();
}

/** The gateway has started it: its outcome will be reported. */
export function begun(state: DealState, id: string, moment: Moment): Changes {
  const draft = createDraft(state, moment);
  const intent = pending(state, id);
  if (intent !== undefined) {
    accept(draft, intent);
    if (intent.outcome === 'calling') tellProcessing(draft, intent);
  }
  setAlert(draft);
  return draft.changes();
}

/** Why a call was not answered by what it did (decisions 10.1 and 10.17). */
export type Undone =
  | { readonly outcome: 'none' | 'unknown'; readonly retryAfter?: number | undefined }
  /** Who refuses has looked whether an earlier call had its effect: `calls` is how many there were. */
  | {
      readonly calls: number;
      readonly refused: { readonly reason: RefusalReason; readonly retry: 'later' | 'never' };
    };

/**
 * A call has not begun it. It is as if it had never been asked for, if nothing can have happened; else
 * it stays in doubt. It is asked for again, after a longer pause each time.
 */
export function undone(
  lifecycle: Lifecycle,
  state: DealState,
  id: string,
  why: Undone,
  moment: Moment,
): Changes {
  const draft = createDraft(state, moment);
  const intent = pending(state, id);
  // a report may have told of it while it was asked for
  if (intent === undefined || isTaken(intent)) return draft.changes();
  const refused = 'refused' in why ? why.refused : undefined;
  const due_at = nextTime(draft, intent, 'retryAfter' in why ? why.retryAfter : undefined);
  // a `none` speaks of one call alone, and a refusal of none that began after it
  const isNothing =
    ('calls' in why && intent.attempts === why.calls + 1) ||
    ('outcome' in why && why.outcome === 'none' && intent.outcome === 'calling');
  if (isNothing) {
    const reason = refused?.reason ?? 'unavailable';
    // since the first time that nothing came of it, whatever the reasons were
    const isStill = intent.outcome === 'calling' && intent.reason !== null;
    const outcome_at = isStill ? intent.outcome_at : moment.now;
    draft.change('intent', intent, { outcome: 'none', outcome_at, reason, due_at });
    if (refused?.retry === 'never') giveUp(draft, intent, refused.reason);
    else wait(draft, intent, reason);
  } else {
    draft.change('intent', intent, { outcome: 'unknown', due_at });
    if (intent.outcome === 'calling') tellProcessing(draft, intent);
  }
  return finish(lifecycle, draft);
}

const pending = ({ intent }: DealState, id: string): Intent | undefined =>
  intent.find((each) => each.id === id && each.status === 'pending');

const [shortest, longest] = [10_000, 60 * 60 * 1000];

function nextTime({ now, real = now }: Moment, { attempts }: Intent, seconds?: number): string {
  const wait = Math.min(shortest * 2 ** Math.min(attempts - 1, 20), longest);
  return movedBy(real, seconds === undefined ? wait : Math.max(seconds * 1000, 1));
}

/** A payout is under way, as far as is known: told once, when its call has ended. */
function tellProcessing(draft: Draft, { payment_id }: Intent): void {
  const payout = draft.find('contractor_payment', payment_id);
  if (payout?.status !== 'processing') return;
  draft.change('contractor_payment', payout, { reason: null, updated_at: draft.now });
  paymentEvent(draft, 'contractor_payment', payout.id);
}

/** Nothing has happened: it waits, unless nobody wants it any more. */
function wait(draft: Draft, intent: Intent, reason: WaitReason): void {
  const { kind, payment_id } = intent;
  const request = draft.find('employer_payment', payment_id);
  if (kind === 'request_payment' && request !== undefined && !isOpen(request.status)) {
    endIntents(draft, payment_id, 'cancelled');
  }
  const payout = draft.find('contractor_payment', payment_id);
  // another attempt has arrived meanwhile
  if (payout?.status === 'paid') endIntents(draft, payment_id, 'cancelled');
  if (payout?.status !== 'processing') return;
  draft.change('contractor_payment', payout, { status: 'scheduled', reason });
  if (payout.reason !== reason) {
    paymentEvent(draft, 'contractor_payment', payout.id, { what: 'waiting' });
  }
}

/** The gateway will not do it: it has failed. */
function giveUp(draft: Draft, intent: Intent, reason: RefusalReason): void {
  const { payment_id } = intent;
  if (isRefund(intent, 'pending')) {
    draft.change('intent', intent, { status: 'cancelled', due_at: null });
    noteFailed(draft, payment_id, leftOf(intent), reason);
    const told = { what: 'refund_failed', amount: 0n, asked: leftOf(intent) } as const;
    paymentEvent(draft, 'employer_payment', payment_id, told);
    return;
  }
  const request = draft.find('employer_payment', payment_id);
  if (request !== undefined && isOpen(request.status)) {
    draft.change('employer_payment', request, { reason });
    endPayment(draft, request, 'failed');
    return;
  }
  const payout = draft.find('contractor_payment', payment_id);
  endIntents(draft, payment_id, 'cancelled');
  if (payout?.status !== 'processing') return;
  const failed = { status: 'failed', reason, updated_at: draft.now } as const;
  draft.change('contractor_payment', payout, failed);
  paymentEvent(draft, 'contractor_payment', payout.id);
}
