import {
  type Changes,
  createDraft,
  type DealState,
  type Moment,
  paymentEvent,
} from '../payments/draft.js';
import { leftOf } from '../payments/intents.js';
import type { Row } from '../records/records.js';
import { movedBy } from '../values/timestamp.js';
import { setAlert } from './alerts.js';

type Intent = Row<'intent'>;

/** The intent, if it is to be executed now. */
export function dueIntent({ intent }: DealState, id: string, now: string): Intent | undefined {
  return intent.find(
    (each) => each.id === id && each.status === 'pending' && (each.due_at ?? now + 1) <= now,
  );
}

/**
 * Takes an intent over: no other process executes it within the lease. From here on a payout may be
 * on its way, so the deal does not use its money for anything else.
 */
export function claim(state: DealState, intent: Intent, moment: Moment, lease: number): Changes {
  const draft = createDraft(state, moment);
  const { now, real = now } = moment;
  draft.change('intent', intent, { due_at: movedBy(real, lease), attempts: intent.attempts + 1 });
  const payout = draft.find('contractor_payment', intent.payment_id);
  if (payout?.status === 'scheduled') {
    draft.change('contractor_payment', payout, { status: 'processing', updated_at: now });
    paymentEvent(draft, 'contractor_payment', payout.id);
  }
  setAlert(draft);
  return draft.changes();
}

/** The gateway has started it: its outcome will be reported. */
export function begun(state: DealState, id: string, moment: Moment): Changes {
  const draft = createDraft(state, moment);
  const intent = state.intent.find((each) => each.id === id && each.status === 'pending');
  if (intent !== undefined) {
    // an outgoing payment is done once the provider says so, which may already have happened
    const isReported =
      intent.kind === 'pay_out' || (intent.kind === 'refund' && leftOf(intent) > 0n);
    draft.change('intent', intent, { due_at: null, ...(!isReported && { status: 'done' }) });
  }
  setAlert(draft);
  return draft.changes();
}

const [shortest, longest] = [10_000, 60 * 60 * 1000];

/** The gateway could not do it: it is asked again, after a longer pause each time. */
export function postponed(state: DealState, id: string, moment: Moment): Changes {
  const draft = createDraft(state, moment);
  const intent = state.intent.find((each) => each.id === id && each.status === 'pending');
  if (intent !== undefined) {
    const wait = Math.min(shortest * 2 ** Math.min(intent.attempts - 1, 20), longest);
    draft.change('intent', intent, { due_at: movedBy(moment.real ?? moment.now, wait) });
  }
  setAlert(draft);
  return draft.changes();
}
