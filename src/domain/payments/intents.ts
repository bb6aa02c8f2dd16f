import { type Changes, createDraft, type DealState, type Moment } from '../life/draft.js';
import type { Row } from '../records.js';
import { formatTimestamp, parseTimestamp } from '../timestamp.js';
import { paymentEvent } from './emit.js';

type Intent = Row<'intent'>;

function later(now: string, milliseconds: number): string {
  return formatTimestamp((parseTimestamp(now) ?? 0) + milliseconds);
}

/** The intent that is to be executed now, if it is. */
export function dueIntent({ intent }: DealState, id: string, now: string): Intent | undefined {
  return intent.find(
    (each) => each.id === id && each.status === 'pending' && (each.due_at ?? now + 1) <= now,
  );
}

/**
 * Takes an intent over: nobody else executes it within the lease. From here on a payout may be on its
 * way, so that the deal does not give its money to anybody else.
 */
export function claim(state: DealState, intent: Intent, moment: Moment, lease: number): Changes {
  const draft = createDraft(state, moment);
  const { now, real = now } = moment;
  draft.change('intent', intent, { due_at: later(real, lease), attempts: intent.attempts + 1 });
  const payout = state.contractor_payment.find(({ id }) => id === intent.payment_id);
  if (payout?.status === 'scheduled') {
    draft.change('contractor_payment', payout, { status: 'processing', updated_at: now });
    paymentEvent(draft, 'contractor_payment', payout.id);
  }
  return draft.changes();
}

/** The gateway has begun with it: what comes of it is reported. */
export function begun(state: DealState, id: string, moment: Moment): Changes {
  const draft = createDraft(state, moment);
  const intent = state.intent.find((each) => each.id === id && each.status === 'pending');
  if (intent !== undefined) {
    // money that goes out is done once the provider says so
    const isReported = intent.kind === 'pay_out' || intent.kind === 'refund';
    draft.change('intent', intent, { due_at: null, ...(!isReported && { status: 'done' }) });
  }
  return draft.changes();
}

const [shortest, longest] = [10_000, 60 * 60 * 1000];

/** The gateway could not: it is asked again, later each time. */
export function postponed(state: DealState, id: string, moment: Moment): Changes {
  const draft = createDraft(state, moment);
  const intent = state.intent.find((each) => each.id === id && each.status === 'pending');
  if (intent !== undefined) {
    const wait = Math.min(shortest * 2 ** Math.min(intent.attempts - 1, 20), longest);
    draft.change('intent', intent, { due_at: later(moment.real ?? moment.now, wait) });
  }
  return draft.changes();
}
