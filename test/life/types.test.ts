import type { OperatorCommands, PartnerCommands } from 'dealwright';
import {
  applyChanges,
  type CommandBy,
  commandsOf,
  type DealState,
  decide,
  dueCommand,
  type Lifecycle,
  legalCommands,
  lifecycle,
  type MethodOf,
  methodOf,
} from 'dealwright/life';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { hostLifecycle } from './host.js';
import { digest } from './model-terms.js';
import { dayOne, idMaker, instant, newDeal, type Shape } from './states.js';

const shape: Shape = {
  version: '2.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: true,
};
const at = { now: instant(dayOne), newId: idMaker(), digest };

type In<S extends string> = DealState & { readonly deal: { readonly status: S } };
/** A deal whose status is known to the compiler. */
const dealIn = <S extends DealState['deal']['status']>(status: S): In<S> => {
  const state = newDeal(shape);
  return { ...state, deal: { ...state.deal, status } };
};

describe('the compiler knows the commands of a state', () => {
  test('and takes those', () => {
    const created = dealIn('created');
    expect(decide(lifecycle, created, { name: 'accept', actor: 'freelancer' }, at).isOk()).toBe(
      true,
    );
    const disputed = dealIn('disputed');
    const stop = { name: 'cancel', actor: 'operator', reason: 'why' } as const;
    expect(decide(lifecycle, disputed, stop, at).isOk()).toBe(true);
  });

  test('and takes no other', () => {
    const created = dealIn('created');
    // @ts-expect-error a deal that is not accepted cannot be approved
    const approved = decide(lifecycle, created, { name: 'approve', actor: 'partner' }, at);
    expect(approved.isErr()).toBe(true);
    const completed = dealIn('completed');
    // @ts-expect-error a deal that has ended cannot be disputed
    const disputed = decide(lifecycle, completed, { name: 'dispute', actor: 'partner' }, at);
    expect(disputed.isErr()).toBe(true);
    // @ts-expect-error an unknown command
    const sung = decide(lifecycle, created, { name: 'sing', actor: 'partner' }, at);
    expect(sung.isErr()).toBe(true);
  });

  test('of a status that it does not know, and of a table that it does not know', () => {
    const some: DealState = newDeal(shape);
    expect(decide(lifecycle, some, { name: 'deliver', actor: 'freelancer' }, at).isErr()).toBe(
      true,
    );
    const table: Lifecycle = lifecycle;
    expect(decide(table, some, { name: 'sing', actor: 'freelancer' }, at).isErr()).toBe(true);
  });
});

describe('the compiler knows the commands of an actor, and their methods', () => {
  type Table = typeof lifecycle;

  test('which are those that a caller sees', () => {
    type OfPartner = MethodOf<CommandBy<Table, 'partner'>>;
    type OfOperator = MethodOf<CommandBy<Table, 'operator'>>;
    expectTypeOf<OfPartner>().toEqualTypeOf<keyof PartnerCommands<never, never>>();
    expectTypeOf<OfOperator>().toEqualTypeOf<keyof OperatorCommands<never, never>>();
    expectTypeOf<CommandBy<Table, 'payments'>>().toEqualTypeOf<
      'record-employer-payment' | 'record-contractor-payment'
    >();
    expectTypeOf<CommandBy<Lifecycle, 'partner'>>().toEqualTypeOf<string>();
  });

  test('so that a row without a method does not compile', () => {
    const planted = [
      ...lifecycle,
      { command: 'remind', by: ['partner'], from: ['created'] },
    ] as const satisfies Lifecycle;
    const names: Partial<Record<keyof PartnerCommands<never, never>, string>> = {};
    for (const command of commandsOf(lifecycle, 'partner')) names[methodOf(command)] = command;
    expect(names.requestChanges).toBe('request-changes');
    for (const command of commandsOf(planted, 'partner')) {
      // @ts-expect-error the client has no method `remind`
      names[methodOf(command)] = command;
    }
    expect(Object.keys(names)).toEqual(commandsOf(planted, 'partner').map(methodOf));
  });
});

describe('a host adds a state and commands', () => {
  const table: Lifecycle = hostLifecycle;
  const give = (state: DealState, name: string, more: object = {}) =>
    decide(table, state, { name, actor: 'operator', ...more }, at);
  const then = (state: DealState, name: string, more: object = {}) =>
    give(state, name, more).match(
      (changes) => applyChanges(state, changes),
      (error) => {
        throw new Error(JSON.stringify(error));
      },
    );
  const accepted = decide(table, newDeal(shape), { name: 'accept', actor: 'freelancer' }, at)
    .map((changes) => applyChanges(newDeal(shape), changes))
    .unwrapOr(newDeal(shape));

  test('that its operators can give', () => {
    expect(legalCommands(table, accepted, 'operator')).toContain('hold');
    const held = then(accepted, 'hold');
    expect(held.deal.status).toBe('on_hold');
    expect(give(accepted, 'hold').map(({ events }) => events.map(({ type }) => type))).toEqual(
      give(accepted, 'hold').map(() => ['deal.held']),
    );
    expect(then(held, 'resume').deal.status).toBe('accepted');
    expect(then(held, 'cancel', { reason: 'why' }).deal).toMatchObject({
      status: 'cancelled',
      freelancer_status: 'removed',
    });
    expect(then(held, 'cancel', { reason: 'why' }).stage[0]?.status).toBe('cancelled');
  });

  test('and a repeat changes nothing', () => {
    const again = give(then(accepted, 'hold'), 'hold').map(({ change, events }) => ({
      change,
      events,
    }));
    expect(again._unsafeUnwrap()).toEqual({ change: [], events: [] });
  });

  test('with a guard of its own', () => {
    const stage = accepted.stage.map((row) => ({ ...row, status: 'submitted' as const }));
    expect(give({ ...accepted, stage }, 'hold')._unsafeUnwrapErr()).toMatchObject({
      code: 'precondition_failed',
      reason: 'work_delivered',
    });
  });

  test('in which all commands that it does not name stay illegal, and nothing is due', () => {
    const held = then(accepted, 'hold');
    expect(legalCommands(table, held, 'freelancer')).toEqual([]);
    expect(legalCommands(table, held, 'operator').filter((each) => !/record/.test(each))).toEqual([
      'resume',
      'cancel',
    ]);
    expect(held.deal.due_at).toBeNull();
    expect(dueCommand(table, held, instant(dayOne * 2))).toBeUndefined();
    expect(decide(table, held, { name: 'deliver', actor: 'freelancer' }, at).isErr()).toBe(true);
  });

  test('and the compiler knows those too', () => {
    const state = dealIn('accepted');
    expect(decide(hostLifecycle, state, { name: 'hold', actor: 'operator' }, at).isOk()).toBe(true);
    // @ts-expect-error our own table has no such command
    expect(decide(lifecycle, state, { name: 'hold', actor: 'operator' }, at).isErr()).toBe(true);
  });
});
