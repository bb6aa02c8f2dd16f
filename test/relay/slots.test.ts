import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { createSlots } from '../../src/relay/tasks.js';
import { pass } from './kit.js';

/** Tasks that end when the test says so. */
function createTasks(limit: number) {
  const timer = createManualClock();
  const slots = createSlots(timer, limit);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const fails: (() => void)[] = [];
  const begin = (count: number, name = 'one', first = 0) =>
    Array.from({ length: count }, (_, each) => {
      const at = first + each;
      return slots(
        name,
        () =>
          new Promise<number>((resolve, reject) => {
            begun.push(at);
            ends[at] = () => resolve(at);
            fails[at] = () => reject(new Error(`task ${at}`));
          }),
      );
    });
  return { timer, begun, ends, fails, begin };
}

describe('slots', () => {
  it('run so many tasks at once, the others in their order', async () => {
    const { timer, begun, ends, begin } = createTasks(2);
    const all = begin(5);
    await pass(timer);
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await pass(timer);
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await pass(timer);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    ends[3]?.();
    ends[4]?.();
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
    expect(timer.sleepers()).toBe(0);
  });

  it('go to the names in turn, so that one with many tasks keeps no other waiting', async () => {
    const { timer, begun, ends, begin } = createTasks(1);
    const all = [...begin(4, 'many'), ...begin(1, 'few', 10), ...begin(2, 'some', 20)];
    const order = [0, 1, 10, 20, 2, 21, 3];
    for (const [done, at] of order.entries()) {
      await pass(timer);
      expect(begun).toEqual(order.slice(0, done + 1));
      ends[at]?.();
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 10, 20, 21]);
    expect(timer.sleepers()).toBe(0);
  });

  it('are given up by a task that takes longer than a second, once', async () => {
    const { timer, begun, ends, begin } = createTasks(1);
    begin(4);
    await pass(timer);
    timer.advance(999);
    await pass(timer);
    expect(begun).toEqual([0]);
    timer.advance(1);
    await pass(timer);
    expect(begun).toEqual([0, 1]);
    // its end has no slot to release any more
    ends[0]?.();
    await pass(timer);
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await pass(timer);
    expect(begun).toEqual([0, 1, 2]);
  });

  it('are a few of their own for a place whose last task was slow, until one is in time', async () => {
    const { timer, begun, ends, begin } = createTasks(4);
    // as many hanging places as slots
    for (let at = 0; at < 4; at += 1) begin(1, `slow-${at}`, at);
    await pass(timer);
    timer.advance(1_000);
    begun.length = 0;
    for (let at = 0; at < 4; at += 1) begin(1, `slow-${at}`, 10 + at);
    begin(4, 'quick', 20);
    begin(1, 'other', 30);
    await pass(timer);
    expect(begun).toEqual([10, 20, 21, 22, 23]);
    ends[20]?.();
    await pass(timer);
    expect(begun.at(-1)).toBe(30);
    // the end of a slow task starts the next slow one; a place that is in time is no longer slow
    ends[10]?.();
    await pass(timer);
    expect(begun.at(-1)).toBe(11);
    begin(1, 'slow-0', 40);
    for (const at of [21, 22]) ends[at]?.();
    await pass(timer);
    expect(begun.at(-1)).toBe(40);
    timer.advance(1_000);
    await pass(timer);
    expect(begun.at(-1)).toBe(12);
  });

  it('tell the places of one name apart', async () => {
    const timer = createManualClock();
    const slots = createSlots(timer, 1);
    const begun: string[] = [];
    const run = (place: string) =>
      void slots(
        'acme',
        () => {
          begun.push(place);
          return new Promise(() => undefined);
        },
        place,
      );
    run('slow');
    await pass(timer);
    timer.advance(1_000);
    run('slow');
    run('slow');
    run('quick');
    await pass(timer);
    expect(begun).toEqual(['slow', 'slow', 'quick']);
  });

  it('are given up by a task that fails, which is told', async () => {
    const { timer, begun, fails, begin } = createTasks(1);
    const [first] = begin(2);
    await pass(timer);
    fails[0]?.();
    await expect(first).rejects.toThrow('task 0');
    await pass(timer);
    expect(begun).toEqual([0, 1]);
  });
});
