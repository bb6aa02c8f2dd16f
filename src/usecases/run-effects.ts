import { err, ok, type Result } from 'neverthrow';
import type { DealState, Moment } from '../domain/life/draft.js';
import { begun, claim, dueIntent, postponed } from '../domain/payments/intents.js';
import type { Row } from '../domain/records.js';
import type { PaymentEffect } from '../ports/payment-gateway.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Call, Context } from './context.js';
import { byPartnerId } from './find-deal.js';
import { change, giveCommand } from './give-command.js';
import type { DueWork } from './run-due.js';

/** Nobody else executes an intent for so long after it was taken over: more than a port may take. */
const leaseBeyondDeadline = 60_000;

/**
 * What is to be done outside of the store: each intent is taken over by one write, executed, and
 * reported (decision 6.3). Where this process ends in between, another one executes it again, with
 * the same idempotency key.
 */
export function effects(context: Context): DueWork<'intent'> {
  return {
    kind: 'intent',
    actor: 'payments',
    async run(call, { id, partner_id }) {
      const taken = await takeOver(context, call, partner_id, id);
      if (taken.isErr()) return err(taken.error);
      if (taken.value === undefined) return ok(false);
      const executed = await context.ports.execute(call.tenant, taken.value);
      if (executed.isErr()) {
        const left = await note(context, call, partner_id, (state, moment) =>
          postponed(state, id, moment),
        );
        return left.map(() => 'failed' as const);
      }
      for (const report of executed.value) {
        const isOut = taken.value.kind === 'pay_out';
        const reported = await giveCommand(context, call, {
          finder: byPartnerId(context, call, partner_id),
          name: isOut ? 'record-contractor-payment' : 'record-employer-payment',
          input: { payment_id: taken.value.payment_id, ...report },
          show: () => true,
        });
        if (reported.isErr() && reported.error.code === 'unavailable') return err(reported.error);
        // a gateway whose reports break rules has done something that nobody knows
        if (reported.isErr())
          return err(portProblem('payments.execute', { cause: reported.error }));
      }
      const noted = await note(context, call, partner_id, (state, moment) =>
        begun(state, id, moment),
      );
      return noted.map(() => true);
    },
  };
}

/** Takes an intent over, and says what is to be executed; nothing where somebody else has it. */
async function takeOver(
  context: Context,
  call: Call,
  partner_id: string,
  id: string,
): Promise<Result<PaymentEffect | undefined, PortProblem>> {
  let effect: PaymentEffect | undefined;
  const lease = context.deadline + leaseBeyondDeadline;
  const taken = await note(context, call, partner_id, (state, moment) => {
    const intent = dueIntent(state, id, moment.now);
    effect = intent && effectOf(state, intent);
    return intent === undefined
      ? { insert: [], change: [], events: [] }
      : claim(state, intent, moment, lease);
  });
  return taken.map(() => effect);
}

async function note(
  context: Context,
  call: Call,
  partner_id: string,
  decide: (state: DealState, moment: Moment) => ReturnType<typeof claim>,
): Promise<Result<true, PortProblem>> {
  const finder = byPartnerId(context, call, partner_id);
  const noted = await context.commands(finder.name, () =>
    change(context, call, finder, {
      decide: (state, moment) => ok(decide(state, moment)),
      show: () => true as const,
    }),
  );
  if (noted.isOk()) return ok(noted.value);
  const { error } = noted;
  return err(error.code === 'unavailable' ? error : portProblem('store', { cause: error }));
}

function effectOf({ deal, intent }: DealState, own: Row<'intent'>): PaymentEffect {
  const alike = intent.filter(({ kind, id }) => kind === own.kind && id < own.id);
  return {
    id: own.id,
    kind: own.kind,
    partner_id: deal.partner_id,
    payment_id: own.payment_id,
    amount: own.amount,
    currency: deal.currency,
    attempt: 1 + alike.filter(({ payment_id }) => payment_id === own.payment_id).length,
    before: alike.length,
    deal_amount: deal.amount,
    freelancer: deal.email_freelancer,
  };
}
