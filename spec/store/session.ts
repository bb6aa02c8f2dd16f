import { dealParts as parts, shapeOf, type TimedKind } from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { judge } from '../../src/ports/judge.js';
import type { RecordRange } from '../../src/ports/store.js';
import type { CommitOutcome, WriteSet } from '../../src/ports/write-set.js';
import { equal, isEqual } from '../expectations.js';
import { createModel, type Model } from './model.js';
import { dueUnder, listedKinds, recordKinds, timedKinds } from './rows.js';
import { allEvents, ask, eventPage, recordByKey, type StoreSubject } from './subject.js';
import { absent, committed, never, present, refused, writeOf } from './writes.js';

export { parts };

/** A write on its way. */
export type Call = readonly [tenant: Tenant, write: WriteSet];

/** A store beside a model that gets the same calls. */
export interface Session {
  readonly model: Model;
  /** Asserts that the store answers what the model answers. */
  commit(tenant: Tenant, write: WriteSet, expected?: CommitOutcome): Promise<void>;
  /**
   * Sends writes at the same time, and asserts that the answers are as if the writes had come in
   * the order of the logs, and the refused ones at some moment between them.
   */
  race(calls: readonly Call[]): Promise<readonly CommitOutcome[]>;
  /** Asserts that the store has the records of the model, and none of a refused write. */
  compare(): Promise<void>;
}

/** Starts with an empty store. */
export function sessionWith(store: StoreSubject): Session {
  const model = createModel();
  return {
    model,
    async commit(tenant, write, expected) {
      const answer = model.commit(tenant, write);
      if (expected !== undefined) equal(answer, expected, 'the answer of the model');
      equal(await ask(store.commit(tenant, write)), answer, 'the answer to a write');
    },
    async race(calls) {
      const outcomes = await Promise.all(calls.map((call) => ask(store.commit(...call))));
      const made = new Map<string, Call>();
      for (const [at, call] of calls.entries()) {
        if (outcomes[at]?.outcome === 'committed') made.set(call[1].events[0]?.id ?? '', call);
      }
      const inOrder: Call[] = [];
      for (const tenant of new Set(calls.map(([each]) => each))) {
        const log = await allEvents(store, tenant);
        inOrder.push(...log.map(({ id }) => made.get(id)).filter((call) => call !== undefined));
      }
      equal(inOrder.length, made.size, 'the number of writes that are logged');
      // a write is refused at one moment: at a later one the reason may be another
      const open = new Set(calls.filter((_, at) => outcomes[at]?.outcome === 'refused'));
      const explain = () => {
        for (const call of open) {
          const [tenant, write] = call;
          const judged = judge(write, model.of(tenant));
          if (isEqual(judged, outcomes[calls.indexOf(call)])) open.delete(call);
        }
      };
      explain();
      for (const call of inOrder) {
        equal(model.commit(...call), committed, 'a write of the log');
        explain();
      }
      for (const call of calls) model.note(...call);
      equal([...open], [], 'refusals that no moment explains');
      return outcomes;
    },
    compare: () => compare(store, model),
  };
}

/** Asserts that a store agrees with the model: on all names of all writes, for each tenant. */
export async function compare(store: StoreSubject, model: Model): Promise<void> {
  const { tenants, keys, ids, tokens } = model.named;
  await store.settled?.();
  for (const tenant of tenants.values()) {
    const deals = model.rows(tenant, 'deal').map(({ id, partner_id = '' }) => {
      return [id, model.deal(tenant, String(partner_id))] as const;
    });
    const byId = new Map<unknown, unknown>(deals);
    const checks = recordKinds.flatMap((kind) =>
      [...keys[kind]].map((key) => async () => {
        const what = `the ${kind} ${JSON.stringify(key)} of ${JSON.stringify(tenant)} in the end`;
        const probe = writeOf({ expect: [absent(kind, key), never] });
        equal(await ask(store.commit(tenant, probe)), model.commit(tenant, probe), what);
        await compareConditions(store, model, tenant, kind, key);
      }),
    );
    for (const partner_id of keys.deal) {
      checks.push(async () => {
        const deal = await ask(store.deals.byPartnerId(tenant, String(partner_id), parts));
        equal(deal, model.deal(tenant, partner_id), 'a deal');
      });
    }
    for (const id of ids) {
      checks.push(async () => {
        const deal = await ask(store.deals.byId(tenant, id, parts));
        equal(deal, byId.get(id), 'a deal by its id');
      });
    }
    for (const token of tokens) {
      checks.push(async () => {
        const deal = await ask(store.deals.byPaymentToken(tenant, token, parts));
        const holder = model.tokenHolder(tenant, token);
        equal(deal, holder && model.deal(tenant, holder), 'a deal by its payment token');
      });
    }
    for (const kind of listedKinds) {
      for (const key of keys[kind]) {
        checks.push(async () => {
          const found = await ask(recordByKey(store, tenant, kind, String(key)));
          equal(found, model.of(tenant).find(kind, key), `the ${kind} by its key`);
        });
      }
    }
    // as many at once as any store can take
    const waiting = checks.values();
    const worker = async () => {
      for (const each of waiting) await each();
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    const files = [...keys.work_file].map(String);
    const recorded = await ask(store.workFiles.recorded(tenant, files));
    const { find } = model.of(tenant);
    const known = files.filter((id) => find('work_file', id) !== undefined);
    equal([...recorded].sort(), known.sort(), 'the files that are recorded');
    await compareDue(store, model, tenant);
    await compareRecords(store, model, tenant);
    const listed = model.list(tenant, {});
    const all = { direction: 'older', from: undefined, limit: listed.length + 1 } as const;
    equal(await ask(store.deals.list(tenant, {}, all)), listed, 'the list in the end');
    const log = model.events(tenant);
    const limit = log.length > 100 ? 100 : 7;
    equal(await allEvents(store, tenant, limit), log, 'the events in the end');
    await compareSubjects(store, model, tenant);
  }
}

/** Later than all times of records in these cases. */
export const endOfTime = '9999-12-31T23:59:59.999Z';

/** Due records are read of a kind, or of each record that it is under. */
export function duesOf(
  model: Model,
  tenant: Tenant,
  kind: TimedKind,
): readonly (readonly [TimedKind, string | undefined])[] {
  const above = dueUnder(kind);
  if (above === undefined) return [[kind, undefined]];
  const { key } = shapeOf(above);
  return model.rows(tenant, above).map((row) => [kind, String(row[key])] as const);
}

/** Asserts that due records are those of the model, at some times, all of them and the first. */
export async function compareDue(store: StoreSubject, model: Model, tenant: Tenant): Promise<void> {
  for (const [kind, under] of timedKinds.flatMap((each) => duesOf(model, tenant, each))) {
    const all = model.due(tenant, kind, endOfTime, Number.MAX_SAFE_INTEGER, under);
    const times = [...new Set(all.map((row) => String(row['due_at'])))];
    // of many times the first and the last are enough
    for (const before of [...times.slice(0, 2), ...times.slice(-1), endOfTime]) {
      for (const limit of [1, all.length + 1]) {
        const due = await ask(store.due(tenant, kind, before, limit, under));
        const what = `what is due of ${kind} at ${before}, ${limit} at most`;
        equal(due, model.due(tenant, kind, before, limit, under), what);
      }
    }
  }
}

/** Of many the first and the last are enough. */
const ends = <T>(all: readonly T[]) => [...new Set([...all.slice(0, 2), ...all.slice(-1)])];

/** Asserts that records are listed as in the model: all of them, and parts of the list. */
async function compareRecords(store: StoreSubject, model: Model, tenant: Tenant): Promise<void> {
  for (const kind of listedKinds) {
    const { key, under } = shapeOf(kind);
    const rows = model.records(tenant, kind, { direction: 'ascending', limit: 1e9 });
    const parents = under && new Set(rows.map((row) => String(row[under.by])));
    const [middle] = rows.slice(rows.length >> 1).map((row) => String(row[key]));
    for (const direction of ['ascending', 'descending'] as const) {
      const ranges: RecordRange[] = [
        { direction, limit: rows.length + 1 },
        ...(middle === undefined ? [] : [{ direction, after: middle, limit: 2 }]),
        ...ends([...(parents ?? [])]).flatMap((parent) => [
          { direction, under: parent, limit: rows.length + 1 },
          { direction, under: parent, ...(middle !== undefined && { after: middle }), limit: 1 },
        ]),
      ];
      for (const range of ranges) {
        const found = await ask(store.records.list(tenant, kind, range));
        equal(found, model.records(tenant, kind, range), `${kind} in ${JSON.stringify(range)}`);
      }
    }
  }
}

/** Asserts that the logs of subjects, and the end of the whole log, are those of the model. */
async function compareSubjects(store: StoreSubject, model: Model, tenant: Tenant): Promise<void> {
  const log = model.events(tenant);
  for (const subject of ends([...new Set(log.map((event) => event.subject))])) {
    const own = model.eventsOf(tenant, subject, 0, log.length);
    const last = own.at(-1)?.sequence ?? 0;
    for (const [sequence, limit] of [
      [0, log.length + 1],
      [own[0]?.sequence ?? 0, 1],
      [last - 1, 2],
      [last, 3],
    ] as const) {
      const found = await ask(store.events.of(tenant, subject, sequence, limit));
      const what = `${limit} events of ${subject} after ${sequence}`;
      equal(found, model.eventsOf(tenant, subject, sequence, limit), what);
    }
  }
  const { end } = await eventPage(store, tenant, undefined, 1);
  const after = await eventPage(store, tenant, end, 1);
  equal(after, { events: [], cursor: end, end }, 'what comes after the end of the log');
}

/** Asserts that the fields that an expectation may ask about have the values of the model. */
async function compareConditions(
  store: StoreSubject,
  model: Model,
  tenant: Tenant,
  kind: (typeof recordKinds)[number],
  key: string | number,
): Promise<void> {
  const row = model.of(tenant).find(kind, key);
  const { conditions } = shapeOf(kind);
  if (row === undefined || conditions.length === 0) return;
  const where = Object.fromEntries(conditions.map((field) => [field, [row[field] ?? null]]));
  const probe = writeOf({ expect: [present(kind, key, where), never] });
  equal(await ask(store.commit(tenant, probe)), refused(1), `the ${kind} as it should be`);
}
