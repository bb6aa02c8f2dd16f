import { err, ok, type Result } from 'neverthrow';
import { notFound, validationFailed } from '../domain/input/errors.js';
import { answered, answersOf, misfit } from '../domain/life/answers.js';
import { tick } from '../domain/life/decide.js';
import { begun, claim, dueIntent, type Undone, undone } from '../domain/life/executions.js';
import type { DealState } from '../domain/payments/draft.js';
import type { PaymentReport } from '../domain/payments/report.js';
import type { Row } from '../domain/records/records.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import { wrongAnswer } from '../ports/guard.js';
import type { GatewayAnswer, GatewayReport, PaymentEffect } from '../ports/payment-gateway.js';
import type { Call, Context } from './context.js';
import { byPartnerId, inHand } from './find-deal.js';
import { type Change, change, giveCommand } from './give-command.js';
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
        const effect = taken.value;
        return isPayment(effect)
          ? pay(context, call, finder, effect)
          : answerFreelancer(context, call, finder, effect);
      };
    },
  };
}

/** A payment, or the answer of a freelancer of the sandbox. */
type Effect =
  | PaymentEffect
  | (Pick<Row<'intent'>, 'id' | 'partner_id'> & { readonly kind: 'accept' | 'decline' });

function isPayment(effect: Effect): effect is PaymentEffect {
  return 'payment_id' in effect;
}

type DealFinder = ReturnType<typeof byPartnerId>;

type Executed = Promise<Result<true | Postponed, PortProblem>>;

/** Lets the gateway start it, and notes what came of it. */
async function pay(
  context: Context,
  call: Call,
  finder: DealFinder,
  effect: PaymentEffect,
): Executed {
  const { lifecycle, ports } = context;
  const record = (decide: Change<true>['decide']) => note(context, call, finder, decide);
  const leave = async (why: Undone, is: true | Postponed): Executed => {
    const noted = await record((state, moment) =>
      ok(undone(lifecycle, state, effect.id, why, moment)),
    );
    return noted.isErr() ? failed(noted.error) : ok(is);
  };
  const executed = await ports.execute(call.tenant, effect);
  if (executed.isErr()) return leave(executed.error, { why: executed.error });
  const { reports = [], refused } = answerIn(executed.value);
  if (refused !== undefined) return leave({ refused, calls: effect.calls }, true);
  const broken = (why: Postponed['why']) => leave({ outcome: 'unknown' }, { why });
  const read = reportsIn(context, effect, reports);
  if (read.isErr()) return broken(read.error);
  const noted = await record((state, moment) =>
    answered(lifecycle, state, effect, read.value, moment),
  );
  if (noted.isOk()) return ok(true);
  const { error } = noted;
  if (isUnwritten(error)) return failed(error);
  return broken(brokenPromise(ruleOf(error)));
}

/** What a refused answer of a gateway breaks. */
function ruleOf(error: Unwritten): string {
  if ('errors' in error) return error.errors.map(({ code }) => code).join(', ');
  return 'reason' in error ? String(error.reason) : error.code;
}

const gatewayPort = 'payments.execute';

const answerIn = (given: GatewayAnswer | readonly GatewayReport[]): GatewayAnswer =>
  'length' in given ? { reports: given } : given;

/** The reports of an answer, or why they break the promises of a gateway (decision 10.2). */
function reportsIn(
  { lifecycle, parseCommand }: Context,
  { kind, amount, payment_id }: PaymentEffect,
  given: readonly object[],
): Result<readonly PaymentReport[], Postponed['why']> {
  const { command } = answersOf[kind];
  const rule = lifecycle.find((each) => each.command === command);
  const reports: PaymentReport[] = [];
  for (const each of given) {
    // a host may have taken the row out of its table
    if (rule === undefined) return err(notFound('operation'));
    const parsed = parseCommand(rule, { ...each, payment_id });
    if (parsed.isErr()) return err({ ...validationFailed(...parsed.error), port: gatewayPort });
    reports.push(parsed.value.report as PaymentReport);
  }
  const wrong = misfit({ kind, amount }, reports);
  if (wrong === undefined) return ok(reports);
  return err(brokenPromise(wrong));
}

const brokenPromise = (rule: string) =>
  portProblem(gatewayPort, { outcome: 'unknown', retryable: false, fault: wrongAnswer(rule) });

/** If the deal does not allow the answer any more, none is given. */
async function answerFreelancer(
  context: Context,
  call: Call,
  finder: DealFinder,
  { id, kind, partner_id }: Exclude<Effect, PaymentEffect>,
): Executed {
  const freelancer = { ...call, actor: 'freelancer' } as const;
  const given = await giveCommand(context, freelancer, {
    finder: byPartnerId(context, freelancer, partner_id),
    name: kind,
    input: undefined,
    isBlind: true,
    show: () => true,
  });
  if (given.isErr() && given.error.code === 'unavailable') return err(given.error);
  finder.wrote?.(undefined);
  const noted = await note(context, call, finder, (state, moment) => ok(begun(state, id, moment)));
  return noted.isErr() ? failed(noted.error) : ok(true);
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
    return ok(
      intent === undefined
        ? { insert: [], change: [], events: [] }
        : claim(state, intent, moment, lease),
    );
  });
  return taken.isErr() ? failed(taken.error) : ok(effect);
}

type Noted = Awaited<ReturnType<typeof note>>;

/** Writes a decision about a deal, or returns why it was refused, or why it was not written. */
function note(context: Context, call: Call, finder: DealFinder, decide: Change<true>['decide']) {
  return context.commands(finder.name, () =>
    change(context, call, finder, { decide, show: () => true as const }),
  );
}

type Unwritten = Extract<Noted, { error: unknown }>['error'];

const isUnwritten = ({ code }: Unwritten): boolean =>
  code === 'unavailable' || code === 'not_found';

/** The store has failed, or has lost the deal. */
const failed = (error: Unwritten) =>
  err(error.code === 'unavailable' ? error : portProblem('store', { cause: error }));

function effectOf({ deal, intent }: DealState, own: Row<'intent'>): Effect {
  const { kind, partner_id } = own;
  if (kind === 'accept' || kind === 'decline') return { id: own.id, kind, partner_id };
  const alike = intent.filter(({ kind, id }) => kind === own.kind && id < own.id);
  return {
    id: own.id,
    kind,
    partner_id: deal.partner_id,
    payment_id: own.payment_id,
    amount: own.amount,
    currency: deal.currency,
    attempt: 1 + alike.filter(({ payment_id }) => payment_id === own.payment_id).length,
    calls: own.attempts,
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
