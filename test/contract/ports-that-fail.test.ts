import { createMarketplace } from 'dealwright';
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
import { brokenWorld, key, type Operation, reads, writes } from './broken-world.js';
import { answered, deadline, everyFault, isWorthARetry, unreadable } from './every-fault.js';
import { cases } from './failing-calls.js';

const isWrite = (operation: Operation) => !reads.some((each) => each === operation);

describe.each(cases)('$port under $operation', ({ port, operation, outcome, values }) => {
  const names = everyFault(createManualClock(), values).map(([name]) => name);
  it.each(names)('%s', async (name) => {
    const world = await brokenWorld((ports, manual) => {
      const fault = new Map(everyFault(manual, values)).get(name);
      if (fault === undefined) throw new Error('a fault of the list');
      return withFault(ports, port, fault);
    }, operation);
    const { timer, healthy, broken, call, isStored } = world;

    const error = (await answered(call(broken), timer))._unsafeUnwrapErr();
    const retryable = isWorthARetry(name);
    expect(error).toMatchObject({ code: 'unavailable', port, outcome, retryable });
    expect(Object.isFrozen(error)).toBe(true);
    const stored = await isStored();
    if (outcome === 'none') expect(stored).toBe(false);

    // in any case a retry with the same key is safe, and so is another retry
    const retried = (await answered(call(healthy), timer))._unsafeUnwrap();
    timer.advance(10 * deadline);
    for (let turn = 0; turn < 20; turn += 1) await undefined;
    expect((await answered(call(healthy), timer))._unsafeUnwrap()).toEqual(retried);
    expect(await isStored()).toBe(isWrite(operation));
    await world.sweep();
    expect(await isStored()).toBe(isWrite(operation));
  });

  it('hears the first of two answers', async () => {
    const { timer, broken, call, isStored } = await brokenWorld(
      (ports) => withFault(ports, port, faults.answersTwice),
      operation,
    );
    expect((await answered(call(broken), timer)).isOk()).toBe(true);
    expect(await isStored()).toBe(isWrite(operation));
  });
});

describe('a decision that cannot be looked at', () => {
  it.each(cases.filter(({ outcome }) => outcome === 'unknown'))('of $port', async (each) => {
    const { timer, broken, call, isStored, sweep } = await brokenWorld(
      (ports) => withFault(ports, each.port, answers(ok(unreadable))),
      each.operation,
    );
    const error = (await answered(call(broken), timer))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retryable: false });
    expect(await isStored()).toBe(false);
    expect((await sweep()).kept).toBe(0);
  });
});

describe('a call that is cut off after its effect', () => {
  it.each(writes)('%s: its retry is a replay', async (operation) => {
    const { timer, healthy, broken, call, isStored, sweep } = await brokenWorld(
      (ports) => withFault(ports, 'store.commit', faults.throwsAfter),
      operation,
    );
    expect((await answered(call(broken), timer)).isErr()).toBe(true);
    expect(await isStored()).toBe(true);
    expect((await answered(call(healthy), timer)).isOk()).toBe(true);
    expect(await isStored()).toBe(true);
    expect((await sweep()).trashed).toBe(0);
  });
});

/** Faults of a port that answers at once. */
const wrongPlain: readonly (readonly [string, PortFault])[] = [
  ['throws', faults.throws],
  ['throws nonsense', faults.throwsNonsense],
  ['rejects', () => Promise.reject(new Error('down')).catch(() => undefined)],
  ['hangs', faults.hangs],
  ['answers later', answersLate(createManualClock(), 10)],
  ...Object.entries({
    nothing: undefined,
    null: null,
    'an object': {},
    'what is not a number': Number.NaN,
    'what cannot be looked at': unreadable,
  }).map(([name, value]) => [`answers ${name}`, answers(value)] as const),
];
const ulid = '01J9Z3K4M5N6P7Q8R9S0T1V2W3';
const wrongTimes = {
  infinite: Number.POSITIVE_INFINITY,
  'a text': '2026-01-01',
  'a date': new Date(0),
  'beyond the calendar': 8.64e15 + 1,
  'after the year 9999': Date.UTC(10_000, 0, 1),
  'before the year 0': Date.UTC(-1, 0, 1),
};
const wrongIds = {
  'an empty text': '',
  'a UUID': '0190a6f4-1f6b-7b1e-9c1a-3d9a6f3b2c1d',
  'in lower case': ulid.toLowerCase(),
  'too large': `8${ulid.slice(1)}`,
  'too long': `${ulid}0`,
  'after a line': `x\n${ulid}`,
  'of a letter that no ULID has': ulid.replace('Z', 'U'),
  'a number': 7,
  'an object that reads as one': { toString: () => ulid },
};

/** The ports that answer at once, and the answers that they must not give. */
const system: readonly (readonly [
  'clock.now' | 'ids.next' | 'digest',
  Readonly<Record<string, unknown>>,
])[] = [
  ['clock.now', wrongTimes],
  ['ids.next', wrongIds],
  ['digest', { 'an empty text': '' }],
];

describe.each(system)('%s', (port, wrong) => {
  const values = Object.entries(wrong).map(
    ([name, value]) => [`answers what is ${name}`, answers(value)] as const,
  );
  it.each([...wrongPlain, ...values])('%s', async (name, fault) => {
    for (const operation of writes) {
      const world = await brokenWorld((ports) => withFault(ports, port, fault), operation);
      const error = (await answered(world.call(world.broken), world.timer))._unsafeUnwrapErr();
      const retryable = name.startsWith('throws');
      expect(error).toMatchObject({ code: 'unavailable', port, outcome: 'none', retryable });
      expect(await world.isStored()).toBe(false);
      expect(await world.contents()).toEqual([]);
      expect((await answered(world.call(world.healthy), world.timer)).isOk()).toBe(true);
    }
  });
});

describe.each(['sha256', 'digest'] as const)('%s', (name) => {
  const hash = () => ({ update: () => undefined, hex: () => 'a'.repeat(64) });
  const broken: readonly (readonly [string, PortFault])[] = [
    ['throws', faults.throws],
    ['throws nonsense', faults.throwsNonsense],
    ['answers nothing', answers(undefined)],
    ['answers an object', answers({})],
    ['answers a promise', answers(Promise.resolve(hash()))],
    ['answers what cannot be looked at', answers(unreadable)],
  ];
  const ofHash: readonly (readonly [string, PortFault])[] = [
    ['throws at a piece', answers({ ...hash(), update: faults.throws })],
    ['throws at the end', answers({ ...hash(), hex: faults.throws })],
    ['ends with nothing', answers({ ...hash(), hex: () => undefined })],
    ['ends in upper case', answers({ ...hash(), hex: () => 'A'.repeat(64) })],
    ['ends too early', answers({ ...hash(), hex: () => 'a'.repeat(63) })],
    ['ends with a promise', answers({ ...hash(), hex: async () => 'a'.repeat(64) })],
  ];
  const all = name === 'sha256' ? [...broken, ...ofHash] : broken;
  it.each(all)('%s', async (kind, fault) => {
    const operation = name === 'sha256' ? 'uploadFile' : 'listDeals';
    const world = await brokenWorld(
      (ports) => ({ ...ports, [name]: () => fault(() => undefined) }),
      operation,
    );
    const error = (await answered(world.call(world.broken), world.timer))._unsafeUnwrapErr();
    const retryable = kind.startsWith('throws');
    expect(error).toMatchObject({ code: 'unavailable', port: name, outcome: 'none', retryable });
    expect(await world.isStored()).toBe(false);
    expect(await world.contents()).toEqual([]);
    expect((await answered(world.call(world.healthy), world.timer)).isOk()).toBe(true);
  });
});

describe('files.delete', () => {
  const names = everyFault(createManualClock(), {}).map(([name]) => name);
  it.each(names)('%s: what cannot be taken back is swept', async (name) => {
    const world = await brokenWorld((ports, manual) => {
      const fault = new Map(everyFault(manual, {})).get(name);
      if (fault === undefined) throw new Error('a fault of the list');
      const scanner = { scan: () => ok('refused' as const) };
      return { ...ports, scanner, files: withFault(ports.files, 'delete', fault) };
    }, 'uploadFile');
    const error = (await answered(world.call(world.broken), world.timer))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['content'], code: 'refused_by_scanner' }],
    });
    expect(await world.isStored()).toBe(false);
    await world.sweep();
    expect(await world.contents()).toEqual([]);
  });
});

describe('sweepFiles', () => {
  const leastAge = 2 * 60 * 60 * 1000;
  const ports = ['timer.now', 'files.list', 'store.workFiles.recorded', 'files.trash.put'] as const;
  const matrix = ports.flatMap((port) =>
    everyFault(createManualClock(), {})
      // a port that answers at once, or reads the time, cannot be late
      .filter(([name]) => port !== 'timer.now' || name.startsWith('throws'))
      .map(([name]) => [port, name] as const),
  );
  it.each(matrix)('%s %s: it is told, and no record loses its content', async (port, name) => {
    const world = await brokenWorld((healthy) => healthy, 'uploadFile');
    expect((await answered(world.call(world.healthy), world.timer)).isOk()).toBe(true);
    await world.ports.files.put(tenant, '01KDVE0000000000000000000A', onePiece());
    world.timer.advance(leastAge + 1000);
    const fault = new Map(everyFault(world.timer, {})).get(name);
    if (fault === undefined) throw new Error('a fault of the list');
    const sweeping = createMarketplace(withFault(world.ports, port, fault), { deadline });
    const error = (
      await answered(sweeping.sweepFiles(tenant, leastAge), world.timer)
    )._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'unavailable',
      port: port === 'files.trash.put' ? 'files.trash' : port,
      outcome: port === 'files.trash.put' ? 'unknown' : 'none',
      retryable: isWorthARetry(name),
    });
    expect(await world.isStored()).toBe(true);
    await world.sweep();
    expect(await world.isStored()).toBe(true);
  });
});

async function* onePiece() {
  yield Uint8Array.of(1);
}

describe('timer.sleep', () => {
  it.each([
    ['throws', faults.throws, 'err'],
    ['answers nothing to cancel', answers(undefined), 'ok'],
    ['answers what cannot be called', answers('call me'), 'ok'],
  ] as const)('%s', async (_, fault, outcome) => {
    const ports = createPorts();
    const later = withFault(ports, 'store.commit', async (call) => call());
    const timer = withFault(ports.timer, 'sleep', fault);
    const api = createMarketplace({ ...later, timer }, { deadline }).partner(tenant);
    const result = await api.createDealV2(dealV2, key);
    expect(result.isOk() ? 'ok' : 'err').toBe(outcome);
    if (result.isErr())
      expect(result.error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    const healthy = createMarketplace(ports).partner(tenant);
    expect((await healthy.createDealV2(dealV2, key)).isOk()).toBe(true);
  });
});
