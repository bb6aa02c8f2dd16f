import type { Store } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { checkStep } from '../life/invariants.js';
import { checkTerms } from '../life/kept-rows.js';
import { digest } from '../life/model-terms.js';
import { countOf } from '../tiers.js';
import { plain } from './names.js';
import { createReplay, findOrder, type Order, type Replay, type Write, writesOf } from './order.js';
import { type Outcome, type Race, race } from './race.js';

const count = countOf('RACES', 4, 40);

/** A refusal before two calls with one key; the second call gets the answer of the first. */
const examples = [158_178_618];
/** Seeds of races of each store: four in a test run, or as many as `RACES` says. */
const seeds = [...examples, ...Array.from({ length: count }, (_, at) => seed + at)];

/** Lets 50 calls race over three stores of one database, once for each seed. */
export function describeRaces(over: string, create: () => readonly Store[]): void {
  describe(`50 commands at once on one deal over ${over}`, () => {
    const done: Race[] = [];
    it.each(seeds)('are what some order of them explains: seed %i', async (seed) => {
      const raced = await race(create(), seed);
      expect(explain(raced)).toEqual([]);
      done.push(raced);
    });
    // races without losers, or without changes, would prove little
    it('beat and refuse each other, and change the deal', () => {
      expect(done.some(({ beaten }) => beaten > 0)).toBe(true);
      expect(done.some(({ outcomes }) => outcomes.some(({ sent }) => sent.isErr()))).toBe(true);
      expect(done.some(({ events }) => events.length > 0)).toBe(true);
    });
  });
}

/**
 * The facts of a race that no order of its calls explains: nothing is lost, nothing is done twice,
 * and each refusal is right at some point of the order.
 */
export function explain(race: Race): readonly string[] {
  const writes = writesOf(race);
  const problems = [...logProblems(race), ...writeProblems(race, writes)];
  const money = checkStep(race.after, race.after, { insert: [], change: [], events: [] });
  if (money !== undefined) problems.push(`money: ${money}`);
  const terms = checkTerms(race.after, race.after);
  if (terms !== undefined) problems.push(`terms: ${terms}`);
  if (problems.length > 0) return problems;
  const replay = createReplay(race);
  const order = findOrder(race, replay, writes);
  return typeof order === 'string' ? [order] : [...otherProblems(race, replay, order)];
}

function* logProblems({ after, told, events }: Race): Generator<string> {
  const all = [...told, ...events];
  for (const [at, { sequence }] of all.entries()) {
    if (sequence !== at + 1) yield `event ${at + 1} has the number ${sequence}`;
  }
  if (after.deal.version !== all.length) {
    yield `the version is ${after.deal.version} after ${all.length} events`;
  }
}

/** Each write belongs to a successful call, and no key and no call has two. */
function* writeProblems({ outcomes }: Race, writes: readonly Write[]): Generator<string> {
  const done = new Set<number | string>();
  for (const { call, events } of writes) {
    const outcome = outcomes[call];
    if (outcome === undefined) yield 'somebody else has written';
    else {
      const { wish, sent } = outcome;
      for (const each of new Set([call, scopeOf(outcome) ?? call])) {
        if (done.has(each)) yield `${nameOf(outcome, call)} is done twice`;
        done.add(each);
      }
      if (sent.isErr()) yield `${nameOf(outcome, call)} is done, and was ${sent.error.code}`;
      const cause = wish.key === undefined ? null : digest(wish.key);
      const [first = { cause }] = events;
      if (first.cause !== cause) yield `${nameOf(outcome, call)} has the cause ${first.cause}`;
    }
  }
}

/** The scope in which a key names one call (decision 6.7). */
function scopeOf({ wish: { key, name, actor } }: Outcome): string | undefined {
  return key && `${name === 'upload' ? 'work file' : actor} ${key}`;
}

function nameOf({ wish }: Outcome, call: number): string {
  const { actor, name, input, key = 'no key' } = wish;
  return `call ${call}, ${actor} ${name} ${JSON.stringify(input)} with ${key}`;
}

const inputOf = ({ wish }: Outcome) => JSON.stringify([wish.name, wish.input]);

/** The calls without a write: some point of the order, or their key, explains each. */
function* otherProblems(race: Race, replay: Replay, order: Order): Generator<string> {
  const { outcomes, after } = race;
  const { names } = replay.pointOf(after);
  const saidTo = ({ sent }: Outcome) => plain(sent.isOk() ? sent.value : sent.error, names);
  /** The points at which this call gets its answer without a write. */
  const pointsOf = (call: number): readonly number[] => {
    const outcome = outcomes[call] as Outcome;
    const answered = saidTo(outcome);
    return [...order.points.entries()].flatMap(([at, point]) => {
      const { isOk, isWritten, said } = replay.try(point, call);
      return !isWritten && isOk === outcome.sent.isOk() && said() === answered ? [at] : [];
    });
  };
  for (const [call, outcome] of outcomes.entries()) {
    if (order.calls.includes(call)) continue;
    const scope = scopeOf(outcome);
    const winners = [...outcomes.entries()].filter(
      ([other, each]) =>
        other !== call && scope !== undefined && scopeOf(each) === scope && each.sent.isOk(),
    );
    const isOther = winners.some(([, each]) => inputOf(each) !== inputOf(outcome));
    const { sent } = outcome;
    if (sent.isErr() && sent.error.code === 'idempotency_key_reused') {
      if (!isOther) yield `${nameOf(outcome, call)}: nobody has used its key`;
      continue;
    }
    if (sent.isOk() && winners.length > 0) {
      const answers = new Set([outcome, ...winners.map(([, each]) => each)].map(saidTo));
      if (isOther || answers.size > 1) yield `${nameOf(outcome, call)}: its key has two answers`;
      if (winners.some(([other]) => order.calls.includes(other))) continue;
    }
    // the first success with its key is here at the latest, and a refusal before it: if one has
    // written, the others got its answer
    const written = winners.filter(([other]) => order.calls.includes(other));
    const ends = (written.length > 0 ? written : winners).map(([other]) => {
      const at = order.calls.indexOf(other);
      return at === -1 ? Math.max(...pointsOf(other)) : at;
    });
    const end = sent.isErr() ? Math.min(order.points.length, ...ends) : order.points.length;
    if (!pointsOf(call).some((at) => at <= end)) {
      yield `${nameOf(outcome, call)}: no point of the order explains ${saidTo(outcome)}`;
    }
  }
}
