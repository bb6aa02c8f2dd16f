import type { Stored } from 'dealwright/ports';
import { digest } from '../life/model-terms.js';
import { idMaker } from '../life/states.js';
import { namesOf, plain } from './names.js';
import type { Outcome, Race, RaceState } from './race.js';
import { type Told, tell } from './tell.js';

/** The write of one call, by the log and by the records. */
export interface Write {
  readonly call: number;
  /** Empty if a report was recorded that changes nothing else. */
  readonly events: readonly Stored<'event'>[];
}

/** The writes of a race in the order of the log, then those without events. */
export function writesOf({ before, after, events, makerOf }: Race): readonly Write[] {
  const told: { call: number; events: Stored<'event'>[] }[] = [];
  let last: Stored<'event'> | undefined;
  for (const event of events) {
    // the cause of each further event of a write is the event before
    if (last !== undefined && event.cause === last.id) told.at(-1)?.events.push(event);
    else told.push({ call: makerOf(event.id) ?? -1, events: [event] });
    last = event;
  }
  const calls = new Set(told.map(({ call }) => call));
  const known = new Set(before.payment_report.map(({ report_key }) => report_key));
  const silent = after.payment_report.flatMap(({ report_key, attempt }) => {
    const call = makerOf(attempt) ?? -1;
    return known.has(report_key) || calls.has(call) ? [] : [{ call, events: [] }];
  });
  return [...told, ...silent];
}

/** A state of the deal between two writes of an order, and the meaning of its ids. */
export interface Point {
  readonly state: RaceState;
  readonly names: ReadonlyMap<string, string>;
}

/** A deal on which calls can be tried, one after the other. */
export function createReplay({ before, outcomes, makerOf, stagesOf, now, feesOf }: Race) {
  const newId = idMaker();
  const made = new Map<string, number>();
  const madeBy = (id: string) => {
    const call = makerOf(id) ?? made.get(id);
    return call === undefined ? id : `that of ${call}`;
  };
  const pointOf = (state: RaceState): Point => ({ state, names: namesOf(state, madeBy) });
  return {
    start: pointOf(before),
    pointOf,
    /** The result of this call at a point, and its answer as plain text. */
    try(from: Point, call: number): Told & { readonly point: Point; said(): string } {
      const { wish } = outcomes[call] as Outcome;
      const own = () => {
        const id = newId();
        made.set(id, call);
        return id;
      };
      const stageId = () => stagesOf(call) ?? 0;
      const told = tell(from.state, wish, { now, newId: own, feesOf, digest, stageId });
      const point = told.isWritten ? pointOf(told.state) : from;
      return { ...told, point, said: () => plain(told.answer(), point.names) };
    },
  };
}

export type Replay = ReturnType<typeof createReplay>;

/** An order of the writes: the points between them, and the call after each. */
export interface Order {
  readonly points: readonly Point[];
  readonly calls: readonly number[];
}

/**
 * The order of the log, with a place between its writes for each write without events, in which
 * every write has its events and its answer; or the reason why there is no such order.
 */
export function findOrder(race: Race, replay: Replay, writes: readonly Write[]): Order | string {
  const { names } = replay.pointOf(race.after);
  const end = plain(race.after, names);
  const logged = writes.filter(({ events }) => events.length > 0);
  const silent = writes.filter(({ events }) => events.length === 0);
  const seen = new Set<string>();
  let furthest: readonly [depth: number, why: string] = [-1, ''];
  const fail = (depth: number, why: string): undefined => {
    if (depth > furthest[0]) furthest = [depth, why];
  };

  const follow = (from: Point, { call, events }: Write, depth: number): Point | undefined => {
    const { wish, sent } = race.outcomes[call] as Outcome;
    const { point, said, isWritten, ...told } = replay.try(from, call);
    const what = `call ${call}, ${wish.actor} ${wish.name} ${JSON.stringify(wish.input)}`;
    const should = told.events.map(({ type, data }) => [type, plain(data, point.names)].join(' '));
    const did = events.map(({ type, data }) => [type, plain(data, names)].join(' '));
    if (should.join('\n') !== did.join('\n') || !isWritten) {
      return fail(depth, `${what}: in the order of the log ${should}; there is ${did}`);
    }
    const answered = plain(sent.isOk() ? sent.value : sent.error, names);
    if (said() !== answered) {
      return fail(depth, `${what}: in the order of the log ${said()}; it was answered ${answered}`);
    }
    return point;
  };
  const walk = (left: readonly Write[], order: Order): Order | undefined => {
    const depth = order.calls.length;
    const here = order.points[depth] as Point;
    const name = `${depth} ${left.map(({ call }) => call)}`;
    if (seen.has(name)) return undefined;
    seen.add(name);
    const next = logged[depth - (silent.length - left.length)];
    if (next === undefined && left.length === 0) {
      const is = plain(here.state, here.names);
      return is === end ? order : fail(depth, `in the end ${is}; there is ${end}`);
    }
    for (const write of [...(next === undefined ? [] : [next]), ...left]) {
      const point = follow(here, write, depth);
      if (point === undefined) continue;
      const rest = left.filter((each) => each !== write);
      const found = walk(rest, {
        points: [...order.points, point],
        calls: [...order.calls, write.call],
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(silent, { points: [replay.start], calls: [] }) ?? furthest[1];
}
