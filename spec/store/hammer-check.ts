import type { Tenant } from '../../src/domain/values/tenant.js';
import { type JudgedStore, judge } from '../../src/ports/judge.js';
import type { CommitOutcome, WriteSet } from '../../src/ports/write-set.js';
import { check, equal, isEqual, show } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { compare } from './session.js';
import { allEvents, type StoreSubject } from './subject.js';

/** A read: its description, and the answer of a model. */
export interface Asked {
  readonly what: string;
  of(model: Model): unknown;
}

/** An answered call: its request, its answer, and the times of its start and its end. */
export interface Told {
  readonly tenant: Tenant;
  readonly start: number;
  readonly end: number;
  readonly asked: { readonly write: WriteSet } | Asked;
  /** `undefined` for a write that the store has not made, by its own answer. */
  readonly answer: CommitOutcome | { readonly read: unknown } | undefined;
}

/** A write that is in a log: when it was sent first, and when it was first answered. */
interface Made {
  readonly tenant: Tenant;
  readonly write: WriteSet;
  readonly start: number;
  readonly end: number;
  /** Its place in the log, from 1. */
  readonly place: number;
}

/** A call that changed nothing, and the places in the log between which it came. */
interface Open {
  readonly told: Told;
  readonly first: number;
  readonly last: number;
}

/**
 * Asserts that all answers and all records of a store come from one order: that of its logs, in
 * which a call comes after those that had been answered when it started.
 */
export async function checkHammered(store: StoreSubject, told: readonly Told[]): Promise<void> {
  await store.settled?.();
  const tenants = [...new Set(told.map(({ tenant }) => tenant))];
  const made: Made[] = [];
  for (const tenant of tenants) made.push(...(await madeOf(store, tenant, told)));
  const model = createModel();
  const contractors = new Map(
    made.flatMap((each) =>
      each.write.subject?.kind === 'contractor' && each.write.insert.length > 0
        ? [[nameOf(each.tenant, each.write.subject.key), each] as const]
        : [],
    ),
  );
  for (const tenant of tenants) {
    const inOrder = made.filter((each) => each.tenant === tenant);
    const own = told.filter((each) => each.tenant === tenant);
    replay(model, inOrder, placed(own, inOrder), contractors);
  }
  await compare(store, model);
}

const nameOf = ({ environment }: Tenant, key: unknown) => JSON.stringify([environment, key]);

/** The writes of a log, in its order: each committed one once, and no other. */
async function madeOf(
  store: StoreSubject,
  tenant: Tenant,
  told: readonly Told[],
): Promise<readonly Made[]> {
  const writes = new Map<string, Omit<Made, 'place'>>();
  for (const { tenant: whose, asked, answer, start, end } of told) {
    if (whose !== tenant || !('write' in asked) || answer === undefined) continue;
    if (!('outcome' in answer) || answer.outcome !== 'committed') continue;
    const { write } = asked;
    const known = writes.get(write.attempt) ?? { tenant, write, start, end };
    const [first, last] = [Math.min(known.start, start), Math.min(known.end, end)];
    writes.set(write.attempt, { ...known, start: first, end: last });
  }
  // other clients may have sent the same write, and were refused, or not answered
  for (const { tenant: whose, asked, start } of told) {
    if (whose !== tenant || !('write' in asked)) continue;
    const known = writes.get(asked.write.attempt);
    if (known !== undefined && start < known.start) {
      writes.set(asked.write.attempt, { ...known, start });
    }
  }
  const byEvent = new Map([...writes.values()].map((each) => [each.write.events[0]?.id, each]));
  const log = await allEvents(store, tenant);
  const made = log.flatMap(({ id }) => byEvent.get(id) ?? []);
  const events = made.flatMap(({ write }) => write.events.map(({ id }) => id));
  equal(
    log.map(({ id }) => id),
    events,
    'the events of what was committed, each write in one piece',
  );
  equal(made.length, writes.size, 'the number of writes that were committed');
  return made.map((each, at) => ({ ...each, place: at + 1 }));
}

/** The places that each call can have: after calls answered before it, before calls sent later. */
function placed(told: readonly Told[], made: readonly Made[]): readonly Open[] {
  const byEnd = [...made].sort((a, b) => a.end - b.end);
  const byStart = [...made].sort((a, b) => b.start - a.start);
  const first = new Map<Told, number>();
  let [place, at] = [0, 0];
  for (const each of [...told].sort((a, b) => a.start - b.start)) {
    for (let next = byEnd[at]; next !== undefined && next.end < each.start; next = byEnd[at]) {
      place = Math.max(place, next.place);
      at += 1;
    }
    first.set(each, place);
  }
  const open: Open[] = [];
  [place, at] = [made.length + 1, 0];
  for (const each of [...told].sort((a, b) => b.end - a.end)) {
    for (let next = byStart[at]; next !== undefined && next.start > each.end; next = byStart[at]) {
      place = Math.min(place, next.place);
      at += 1;
    }
    open.push({ told: each, first: first.get(each) ?? 0, last: place - 1 });
  }
  return open;
}

/** Makes the writes of a log again, and asserts that each call has a moment that explains it. */
function replay(
  model: Model,
  made: readonly Made[],
  calls: readonly Open[],
  contractors: ReadonlyMap<string, Made>,
): void {
  const waiting = [...calls].sort((a, b) => b.first - a.first);
  const open = new Set<Open>();
  const places = new Map(made.map(({ write, place }) => [write.attempt, place]));
  const look = (place: number) => {
    for (
      let next = waiting.at(-1);
      next !== undefined && next.first <= place;
      next = waiting.at(-1)
    ) {
      open.add(next);
      waiting.pop();
    }
    for (const each of open) {
      const { told, first, last } = each;
      if (isExplained(model, each, places, contractors)) open.delete(each);
      else if (last <= place) {
        throw new Error(`no moment from ${first} to ${last} explains ${show(told)}`);
      }
    }
  };
  look(0);
  for (const { tenant, write, start, end, place } of made) {
    const states = statesOf(model, { tenant, start, end }, write, contractors);
    const judged = states.map((state) => judge(write, state));
    check(
      judged.some(({ outcome }) => outcome === 'holds'),
      `a write of the log was to be refused\n  ${show(write)}\n  ${show(judged)}`,
    );
    model.note(tenant, write);
    model.apply(tenant, write);
    look(place);
  }
}

function isExplained(
  model: Model,
  { told, last }: Open,
  places: ReadonlyMap<string, number>,
  contractors: ReadonlyMap<string, Made>,
): boolean {
  const { tenant, asked, answer } = told;
  if ('what' in asked) return isEqual(answer, { read: asked.of(model) });
  const place = places.get(asked.write.attempt);
  model.note(tenant, asked.write);
  // it was not committed: a log that contains it has failed before
  if (answer === undefined) return true;
  if ('outcome' in answer && answer.outcome === 'committed') {
    return place !== undefined && place <= last;
  }
  const states = statesOf(model, told, asked.write, contractors);
  return states.some((state) => isEqual(judge(asked.write, state), answer));
}

/**
 * The states that a call may have met. Contractors belong to the environment, so the logs of its
 * partners do not tell the order if a registration was under way at the same time.
 */
function statesOf(
  model: Model,
  { tenant, start, end }: Pick<Told, 'tenant' | 'start' | 'end'>,
  { attempt }: WriteSet,
  contractors: ReadonlyMap<string, Made>,
): readonly JudgedStore[] {
  const { find, count } = model.of(tenant);
  return [true, false].map((isEarly) => ({
    count,
    find(kind, key) {
      if (kind !== 'contractor') return find(kind, key);
      const made = contractors.get(nameOf(tenant, key));
      if (made === undefined || made.write.attempt === attempt) return undefined;
      const isThere = made.end < start || (made.start < end && isEarly);
      return isThere ? { attempt: made.write.attempt } : undefined;
    },
  }));
}
