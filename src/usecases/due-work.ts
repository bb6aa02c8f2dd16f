import { err, ok, type Result } from 'neverthrow';
import { tick } from '../domain/life/decide.js';
import { begun, claim, dueIntent, postponed } from '../domain/life/executions.js';
import type { DealState, Moment } from '../domain/payments/draft.js';
import type { Row } from '../domain/records/records.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { PaymentEffect } from '../ports/payment-gateway.js';
import type { Call, Context } from './context.js';
import { byPartnerId, inHand } from './find-deal.js';
import { change, giveCommand } from './give-command.js';
import type { DueWork, Postponed } from './take-turn.js';

/**
 * For this long no other process executes an intent that was taken over: more than a port may take.
 */
const leaseBeyondDeadline = 60_000;

/**
 * The tasks outside of the store: each intent is taken over by one write, executed, and reported
 * (decision 6.3). If this process ends in between, another one executes it again, with the same
 * idempotency key.
 */
export function effects(context: Context): DueWork<'intent'> {
  return {
    kind: 'intent',
    actor: 'payments',
    isMoved: false,
    begin(call, partner_id) {
      const finder = inHand(byPartnerId(context, call, partner_id));
      return async ({ id }) => {
        const taken = await takeOver(context, call, finder, id);
        if (taken.isErr()) return err(taken.error);
        if (taken.value === undefined) {
          // read the deal again: another process may have made the intent due
          finder.wrote?.(undefined);
          return ok(false);
        }
        const intent = taken.value;
        const executed = isPayment(intent)
          ? await pay(context, call, finder, intent)
          : await answerFreelancer(context, call, intent);
        if (executed.isErr()) return err(executed.error);
        const decide = executed.value === true ? begun : postponed;
        const noted = await note(context, call, finder, (state, moment) =>
          decide(state, id, moment),
        );
        return noted.map(() => executed.value);
      };
    },
  };
}

/** A payment, or the answer of a freelancer of the sandbox. */
type Effect = PaymentEffect | (Pick<Row<'intent'>, 'partner_id'> & { kind: 'accept' | 'decline' });

function isPayment(effect: Effect): effect is PaymentEffect {
  return 'payment_id' in effect;
}

type DealFinder = ReturnType<typeof byPartnerId>;

type Executed = Promise<Result<true | Postponed, PortProblem>>;

/** Lets the gateway start it, and records its immediate reports. */
async function pay(
  context: Context,
  call: Call,
  finder: DealFinder,
  effect: PaymentEffect,
): Executed {
  const executed = await context.ports.execute(call.tenant, effect);
  if (executed.isErr()) return ok({ why: executed.error });
  for (const report of executed.value) {
    const isOut = effect.kind === 'pay_out';
    const reported = await giveCommand(context, call, {
      finder,
      name: isOut ? 'record-contractor-payment' : 'record-employer-payment',
      input: { payment_id: effect.payment_id, ...report },
      effect: effect.id,
      show: () => true,
    });
    if (reported.isOk()) continue;
    // a report that breaks a rule may be fixed at the gateway: it is asked again
    const why = reported.error;
    if (why.code === 'unavailable') return err(why);
    return ok({
      why: why.code === 'validation_failed' ? { ...why, port: 'payments.execute' } : why,
    });
  }
  return ok(true);
}

/** If the deal does not allow the answer any more, none is given. */
async function answerFreelancer(
  context: Context,
  call: Call,
  { kind, partner_id }: Exclude<Effect, PaymentEffect>,
): Executed {
  const freelancer = { ...call, actor: 'freelancer' } as const;
  const finder = byPartnerId(context, freelancer, partner_id);
  const given = await giveCommand(context, freelancer, {
    finder,
    name: kind,
    input: undefined,
    isBlind: true,
    show: () => true,
  });
  const isUnavailable = given.isErr() && given.error.code === 'unavailable';
  return isUnavailable ? err(given.error) : ok(true);
}

/** Takes an intent over, and returns it for execution; `undefined` if another process has it. */
async function takeOver(
  context: Context,
  call: Call,
  finder: DealFinder,
  id: string,
): Promise<Result<Effect | undefined, PortProblem>> {
  let effect: Effect | undefined;
  const lease = context.deadline + leaseBeyondDeadline;
  const taken = await note(context, call, finder, (state, moment) => {
    const intent = dueIntent(state, id, moment.real ?? moment.now);
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
  finder: DealFinder,
  decide: (state: DealState, moment: Moment) => ReturnType<typeof claim>,
): Promise<Result<true, PortProblem>> {
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

function effectOf({ deal, intent }: DealState, own: Row<'intent'>): Effect {
  const { kind, partner_id } = own;
  if (kind === 'accept' || kind === 'decline') return { kind, partner_id };
  const alike = intent.filter(({ kind, id }) => kind === own.kind && id < own.id);
  return {
    id: own.id,
    kind,
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

/** The work of the clock on a deal whose time has come (decision 6.2). */
export function timers(context: Context): DueWork<'deal'> {
  return {
    kind: 'deal',
    actor: 'clock',
    isMoved: true,
    begin(call, partner_id) {
      const finder = byPartnerId(context, call, partner_id);
      return async () => {
        const ticked = await context.commands(finder.name, () =>
          change(context, call, finder, {
            decide: (state, moment) => tick(context.lifecycle, state, moment),
            show: () => true,
          }),
        );
        if (ticked.isOk()) return ok(true);
        return ticked.error.code === 'unavailable' ? err(ticked.error) : ok({ why: ticked.error });
      };
    },
  };
}
