import { createMarketplace } from 'dealwright';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import {
  answers,
  answersLate,
  createManualClock,
  faults,
  type PortFault,
  withFault,
} from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { dealV2, tenant } from '../kit/requests.js';
import { brokenWorld, key, type Operation, operations } from './broken-world.js';
import { answered, deadline, everyFault, unreadable } from './every-fault.js';

interface Case {
  readonly port: string;
  readonly operation: Operation;
  readonly outcome: 'none' | 'unknown';
  readonly values: Readonly<Record<string, unknown>>;
  readonly break_: (ports: MarketplacePorts, fault: PortFault) => MarketplacePorts;
}

const unreadableValue = { 'a value that cannot be looked at': ok(unreadable) };
const wrongOutcomes = {
  'no outcome': ok(undefined),
  'an outcome that is none': ok({ outcome: 'perhaps' }),
  'a conflict that is none': ok({ outcome: 'exists', by: 'the way' }),
};
const wrongIds = {
  'a deal without ids': ok({ outcome: 'created' }),
  'an id that is none': ok({ outcome: 'created', id: 0, stage_ids: [1] }),
  'stage ids that are none': ok({ outcome: 'created', id: 1, stage_ids: ['1'] }),
  'no id for its stage': ok({ outcome: 'created', id: 1, stage_ids: [] }),
  'an id for a stage that it has not': ok({ outcome: 'created', id: 1, stage_ids: [1, 2] }),
};
const wrongTokens = {
  ...unreadableValue,
  'no token': ok(undefined),
  'a short token': ok('a'.repeat(21)),
  'a long token': ok('a'.repeat(2049)),
  'a token with a space': ok(`${'a'.repeat(30)} `),
  'a token that is no text': ok(7),
};

const cases: readonly Case[] = [
  {
    port: 'contractors.add',
    operation: 'registerContractor',
    outcome: 'unknown',
    values: wrongOutcomes,
    break_: (ports, fault) => ({
      ...ports,
      contractors: withFault(ports.contractors, 'add', fault),
    }),
  },
  {
    port: 'deals.add',
    operation: 'createDeal',
    outcome: 'unknown',
    values: { ...wrongOutcomes, ...wrongIds },
    break_: (ports, fault) => ({ ...ports, deals: withFault(ports.deals, 'add', fault) }),
  },
  {
    port: 'dealsV2.add',
    operation: 'createDealV2',
    outcome: 'unknown',
    values: wrongOutcomes,
    break_: (ports, fault) => ({ ...ports, dealsV2: withFault(ports.dealsV2, 'add', fault) }),
  },
  ...(['createDeal', 'createDealV2'] as const).map(
    (operation): Case => ({
      port: 'categories.subcategory',
      operation,
      outcome: 'none',
      values: {
        ...unreadableValue,
        'null instead of a subcategory': ok(null),
        'another subcategory': ok({ id: 1 }),
        'a failure that it calls unknown': unavailable({ outcome: 'unknown' }),
      },
      break_: (ports, fault) => ({
        ...ports,
        categories: withFault(ports.categories, 'subcategory', fault),
      }),
    }),
  ),
  {
    port: 'paymentTokens.issue',
    operation: 'createDealV2',
    outcome: 'none',
    values: wrongTokens,
    break_: (ports, fault) => ({
      ...ports,
      paymentTokens: withFault(ports.paymentTokens, 'issue', fault),
    }),
  },
];

describe.each(cases)('$port under $operation', ({ port, operation, outcome, values, break_ }) => {
  const names = everyFault(createManualClock(), values).map(([name]) => name);
  it.each(names)('%s', async (name) => {
    const { clock, healthy, broken, isStored } = await brokenWorld((ports, manual) => {
      const fault = new Map(everyFault(manual, values)).get(name);
      if (fault === undefined) throw new Error('a fault of the list');
      return break_(ports, fault);
    }, operation);
    const call = operations[operation];

    const error = (await answered(call(broken), clock))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port, outcome });
    expect(Object.isFrozen(error)).toBe(true);
    const stored = await isStored();
    if (outcome === 'none') expect(stored).toBe(false);

    // whatever happened, a retry with the same key is safe, and so is the next
    const retried = (await answered(call(healthy), clock))._unsafeUnwrap();
    clock.advance(10 * deadline);
    for (let turn = 0; turn < 20; turn += 1) await undefined;
    expect((await answered(call(healthy), clock))._unsafeUnwrap()).toEqual(retried);
    expect(await isStored()).toBe(true);
  });

  it('hears the first of two answers', async () => {
    const { clock, broken, isStored } = await brokenWorld(
      (ports) => break_(ports, faults.answersTwice),
      operation,
    );
    expect((await answered(operations[operation](broken), clock)).isOk()).toBe(true);
    expect(await isStored()).toBe(true);
  });
});

describe('a decision that cannot be looked at', () => {
  it.each(cases.filter(({ outcome }) => outcome === 'unknown'))('of $port', async (each) => {
    const { clock, broken, isStored } = await brokenWorld(
      (ports) => each.break_(ports, answers(ok(unreadable))),
      each.operation,
    );
    const error = (await answered(operations[each.operation](broken), clock))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retryable: false });
    expect(await isStored()).toBe(false);
  });
});

describe('a call that is cut off after its effect', () => {
  it.each(['contractors.add', 'deals.add', 'dealsV2.add'])(
    '%s: its retry is a replay',
    async (port) => {
      const found = cases.find((each) => each.port === port);
      if (found === undefined) throw new Error('a case of the list');
      const { clock, healthy, broken, isStored } = await brokenWorld(
        (ports) => found.break_(ports, faults.throwsAfter),
        found.operation,
      );
      const call = operations[found.operation];
      expect((await answered(call(broken), clock)).isErr()).toBe(true);
      expect(await isStored()).toBe(true);
      expect((await answered(call(healthy), clock)).isOk()).toBe(true);
      expect(await isStored()).toBe(true);
    },
  );
});

/** The ports that answer at once or not at all. */
const system: readonly (readonly [
  string,
  (ports: MarketplacePorts, fault: PortFault) => MarketplacePorts,
])[] = [
  ['clock.now', (ports, fault) => ({ ...ports, clock: withFault(ports.clock, 'now', fault) })],
  ['ids.next', (ports, fault) => ({ ...ports, ids: withFault(ports.ids, 'next', fault) })],
  [
    'digest',
    (ports, fault) => ({
      ...ports,
      digest: withFault({ digest: ports.digest }, 'digest', fault).digest,
    }),
  ],
];

describe.each(system)('%s', (_, break_) => {
  const clock = createManualClock();
  const broken: readonly (readonly [string, PortFault])[] = [
    ['throws', faults.throws],
    ['throws nonsense', faults.throwsNonsense],
    ['rejects', () => Promise.reject(new Error('down')).catch(() => undefined)],
    ['hangs', faults.hangs],
    ['answers later', answersLate(clock, 10)],
    ['answers nothing', answers(undefined)],
    ['answers an object', answers({})],
    ['answers what is no number', answers(Number.NaN)],
    ['answers what cannot be looked at', answers(unreadable)],
  ];
  it.each(broken)('%s', async (_name, fault) => {
    for (const operation of ['registerContractor', 'createDeal', 'createDealV2'] as const) {
      const world = await brokenWorld((ports) => break_(ports, fault), operation);
      const call = operations[operation];
      const error = (await answered(call(world.broken), world.clock))._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'unavailable', outcome: 'none' });
      expect(await world.isStored()).toBe(false);
      expect((await answered(call(world.healthy), world.clock)).isOk()).toBe(true);
    }
  });
});

describe('clock.sleep', () => {
  it.each([
    ['throws', faults.throws, 'err'],
    ['answers nothing to call off', answers(undefined), 'ok'],
    ['answers what cannot be called', answers('call me'), 'ok'],
  ] as const)('%s', async (_, fault, outcome) => {
    const ports = createPorts();
    const later = withFault(ports.dealsV2, 'add', async (call) => call());
    const clock = withFault(ports.clock, 'sleep', fault);
    const api = createMarketplace({ ...ports, dealsV2: later, clock }, { deadline }).partner(
      tenant,
    );
    const result = await api.createDealV2(dealV2, key);
    expect(result.isOk() ? 'ok' : 'err').toBe(outcome);
    if (result.isErr())
      expect(result.error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    const healthy = createMarketplace(ports).partner(tenant);
    expect((await healthy.createDealV2(dealV2, key)).isOk()).toBe(true);
  });
});
