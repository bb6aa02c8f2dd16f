import type { RunFailure } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { portProblem } from '../../src/ports/answer.js';
import { guardPorts } from '../../src/ports/guarded-ports.js';
import { noWaits, oneEnds, takeTurn, type Work } from '../../src/usecases/take-turn.js';
import { createHost } from '../faces/due-host.js';
import { createPorts } from '../kit/ports.js';
import { pass } from '../relay/kit.js';

const tenant = { environment: 'production', partner: 'acme' } as const;
type Run = Work<'deal'>;

/** Turns of a tenant whose deals of these names are due, in this order. */
async function withDue(names: string[], run: Run, lanes = 4, begins: string[] = []) {
  const memory = createMemoryStore();
  const made = createHost({ store: memory });
  await made.create(tenant, 'model');
  const [model] = (await memory.due(tenant, 'deal', '9999', 1))._unsafeUnwrap();
  if (model === undefined) throw new Error('no deal');
  const reads: number[] = [];
  const timer = createManualClock(Date.UTC(2026, 0, 1));
  const due = (_tenant: unknown, _kind: unknown, _before: unknown, limit: number) => {
    reads.push(limit);
    const rows = names.map((partner_id, at) => ({ ...model, id: at + 1, partner_id }));
    return ok(rows.slice(0, limit));
  };
  const store = { ...memory, due: due as typeof memory.due };
  const ports = guardPorts({ ...createPorts(), store, clock: timer, timer }, 10_000);
  const waits = noWaits<'deal'>();
  const failures: RunFailure[] = [];
  let done = 0;
  const begin = (_call: unknown, deal: string) => {
    begins.push(deal);
    return run;
  };
  const work = { kind: 'deal', actor: 'clock', isMoved: true, begin } as const;
  const listener = {
    done() {
      done += 1;
    },
    failed: (failure: RunFailure) => void failures.push(failure),
  };
  const room = { lanes };
  const context = { ports, timer, atOnce: () => room.lanes };
  return {
    ...{ names, timer, waits, failures, reads, room },
    done: () => done,
    turn: () => takeTurn(context, tenant, work, listener, { waits }),
    oneEnds: (until: number) => oneEnds(context, waits, until),
  };
}

/** Deals whose work goes on until the test ends it. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run: Run = ({ partner_id }) => {
    begun.push(partner_id);
    return new Promise((resolve) => ends.set(partner_id, () => resolve(ok(true))));
  };
  return { begun, ends, run };
}

const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`);

describe('a turn', () => {
  it('ends though calls hang, which go on: the next one begins others, and none twice', async () => {
    const { begun, ends, run } = held();
    const host = await withDue(named(10, 'deal'), run);
    const first = host.turn();
    await pass(host.timer);
    expect(begun).toEqual(named(4, 'deal'));
    host.timer.advance(50);
    expect((await first)._unsafeUnwrap()).toBe('more');
    const second = host.turn();
    await pass(host.timer);
    expect(begun).toEqual(named(8, 'deal'));
    ends.get('deal-0')?.();
    await pass(host.timer);
    // the worker of the first turn, which has ended, begins no more
    expect([begun.length, host.done()]).toEqual([8, 1]);
    host.timer.advance(50);
    expect((await second)._unsafeUnwrap()).toBe('more');
    expect([...host.waits.underWay.keys()]).toEqual(named(8, 'deal').slice(1));
    expect(host.timer.sleepers()).toBe(0);
  });

  it('goes on for as long as its calls end', async () => {
    const { begun, ends, run } = held();
    const host = await withDue(named(6, 'deal'), run);
    const turn = host.turn();
    for (let at = 0; at < 6; at += 1) {
      await pass(host.timer);
      host.timer.advance(40);
      ends.get(`deal-${at}`)?.();
    }
    expect((await turn)._unsafeUnwrap()).toBe('more');
    expect([begun, host.done(), host.timer.sleepers()]).toEqual([named(6, 'deal'), 6, 0]);
  });

  it('leaves what is due of a deal that is worked on in its order', async () => {
    const { begun, ends, run } = held();
    const host = await withDue(['one', 'one', 'two'], run);
    const first = host.turn();
    await pass(host.timer);
    host.timer.advance(50);
    await first;
    expect(begun).toEqual(['one', 'two']);
    expect((await host.turn())._unsafeUnwrap()).toBe('nothing');
    ends.get('one')?.();
    await pass(host.timer, 1);
    void host.turn();
    await pass(host.timer);
    expect(begun).toEqual(['one', 'two', 'one']);
  });

  it('begins nothing more beside as many calls as may hang', async () => {
    const { begun, run } = held();
    const host = await withDue(named(300, 'deal'), run);
    for (let turn = 0; turn < 40; turn += 1) {
      const taken = host.turn();
      await pass(host.timer);
      host.timer.advance(50);
      await taken;
    }
    expect(begun).toHaveLength(128);
    const reads = host.reads.length;
    expect((await host.turn())._unsafeUnwrap()).toBe('nothing');
    expect(host.reads).toHaveLength(reads);
  });

  it('finds what is due behind more than one read gives', async () => {
    const refused = err(portProblem('store.commit', { retryable: false }));
    const host = await withDue([...named(250, 'bad'), 'good'], async ({ partner_id }) =>
      partner_id === 'good' ? ok(true) : refused,
    );
    let end: unknown = 'more';
    for (let turn = 0; end === 'more' && turn < 20; turn += 1) {
      const taken = host.turn();
      await pass(host.timer, 20);
      end = (await taken)._unsafeUnwrap();
      // done work is no longer due
      if (host.done() > 0) host.names.length = 250;
    }
    expect([end, host.done(), host.failures.length]).toEqual(['nothing', 1, 250]);
  });

  it('beside requests works on one record at a time, and reads few', async () => {
    const { begun, ends, run } = held();
    const host = await withDue(named(40, 'deal'), run, 1);
    const turn = host.turn();
    await pass(host.timer);
    expect([begun, host.reads]).toEqual([['deal-0'], [32]]);
    ends.get('deal-0')?.();
    await pass(host.timer);
    expect(begun).toEqual(['deal-0', 'deal-1']);
    host.timer.advance(250);
    ends.get('deal-1')?.();
    expect((await turn)._unsafeUnwrap()).toBe('more');
  });

  it('goes on with the deal of the turn before, and forgets it once nothing is due', async () => {
    const begins: string[] = [];
    const names = ['one', 'one', 'two'];
    const host = await withDue(names, async () => ok(true), 1, begins);
    const turn = async () => {
      const taken = host.turn();
      await pass(host.timer, 20);
      return (await taken)._unsafeUnwrap();
    };
    expect(await turn()).toBe('more');
    expect(begins).toEqual(['one', 'two']);
    names.splice(0, 2);
    expect(await turn()).toBe('more');
    expect(begins).toEqual(['one', 'two']);
    names.length = 0;
    expect(await turn()).toBe('nothing');
    names.push('two');
    expect(await turn()).toBe('more');
    expect(begins).toEqual(['one', 'two', 'two']);
  });

  it('begins nothing more once requests come, or come no more', async () => {
    const { begun, ends, run } = held();
    const host = await withDue(named(10, 'deal'), run);
    const first = host.turn();
    await pass(host.timer);
    host.room.lanes = 1;
    for (const end of ends.values()) end();
    expect((await first)._unsafeUnwrap()).toBe('more');
    expect(begun).toHaveLength(4);
    host.names.splice(0, 4);
    const second = host.turn();
    await pass(host.timer);
    expect(begun).toHaveLength(5);
    host.room.lanes = 4;
    ends.get('deal-4')?.();
    expect((await second)._unsafeUnwrap()).toBe('more');
    expect(begun).toHaveLength(5);
  });

  it('rests three times as long as it has worked beside requests, and for a moment alone', async () => {
    for (const [lanes, rest] of [
      [1, 30],
      [2, 1],
    ] as const) {
      const { begun, ends, run } = held();
      const host = await withDue(named(4, 'deal'), run, lanes);
      const turn = host.turn();
      await pass(host.timer);
      host.timer.advance(10);
      for (const end of ends.values()) end();
      await pass(host.timer, rest - 1);
      expect(begun).toHaveLength(lanes);
      await pass(host.timer, 1);
      expect(begun).toHaveLength(2 * lanes);
      host.timer.advance(250);
      for (const end of ends.values()) end();
      await pass(host.timer, 100);
      await turn;
    }
  });

  it('remembers nothing of a record that is done', async () => {
    const host = await withDue(named(90, 'deal'), async () => ok(true));
    for (let round = 0; round < 5; round += 1) {
      const turn = host.turn();
      await pass(host.timer, 20);
      await turn;
      expect(host.waits.records.size).toBe(90);
      host.names.splice(0, 90, ...named(90, `deal-${round}`));
      if (round === 4) host.names.length = 0;
    }
    expect((await host.turn())._unsafeUnwrap()).toBe('nothing');
    expect([host.waits.records.size, host.waits.underWay.size]).toEqual([0, 0]);
    // no deal is read beyond those of a turn
    expect(new Set(host.reads)).toEqual(new Set([512]));
  });

  it('remembers nothing of a record that failed, and that another process has done', async () => {
    const refused = err(portProblem('store.commit', { retryable: false }));
    const host = await withDue(named(90, 'bad'), async () => refused);
    const turn = host.turn();
    await pass(host.timer, 20);
    await turn;
    host.names.length = 0;
    await host.turn();
    expect(host.waits.records.size).toBe(90);
    host.timer.advance(1_000);
    await host.turn();
    expect(host.waits.records.size).toBe(0);
  });

  it.each([
    ['ends where one call after the other says that its port is down', true, 16],
    ['goes on where the port refuses one record after the other', false, 60],
  ])('%s', async (_, retryable, most) => {
    const host = await withDue(named(60, 'deal'), async () =>
      err(portProblem('store.commit', { retryable })),
    );
    const turn = host.turn();
    await pass(host.timer, 20);
    expect((await turn).isErr()).toBe(retryable);
    expect(host.failures.length).toBeGreaterThanOrEqual(most);
    expect(host.failures.length).toBeLessThan(most + 4);
  });

  it('that has done something goes on beside a port that is down for many', async () => {
    const host = await withDue([...named(1, 'good'), ...named(60, 'bad')], async (row) =>
      row.partner_id === 'good-0'
        ? ok(true)
        : unavailable({ outcome: 'none' }).mapErr((failure) =>
            portProblem('store.commit', failure),
          ),
    );
    const turn = host.turn();
    await pass(host.timer, 20);
    expect((await turn)._unsafeUnwrap()).toBe('more');
  });

  it('can be waited for, until a moment', async () => {
    const { ends, run } = held();
    const host = await withDue(['one', 'two'], run);
    const turn = host.turn();
    await pass(host.timer);
    host.timer.advance(50);
    await turn;
    let woken = 0;
    const wait = () => void host.oneEnds(host.timer.now() + 1_000).then(() => (woken += 1));
    wait();
    await pass(host.timer, 500);
    expect(woken).toBe(0);
    await pass(host.timer, 500);
    expect(woken).toBe(1);
    wait();
    ends.get('two')?.();
    await pass(host.timer);
    expect([woken, host.timer.sleepers()]).toEqual([2, 0]);
  });
});
