import { dealSubject, type EventOrigin } from '../domain/events/events.js';
import type { Changes, DealState } from '../domain/payments/draft.js';
import { type DealPart, shapeOf } from '../domain/records/records.js';
import type { DealWith } from '../ports/store.js';
import type { Expectation, Insert } from '../ports/write-set.js';

/** The changes of a deal as a write: only of the deal that was read. */
export function writeOf(
  state: DealWith<DealPart>,
  changes: Changes,
  { id, at, actor, cause }: EventOrigin,
  newId: () => string,
) {
  const { deal } = state;
  const { partner_id, version } = deal;
  const [first] = changes.insert;
  const expect: Expectation[] = [
    ...(first === undefined ? [] : [absent(first)]),
    { present: 'deal', key: partner_id, where: { version: [version] } },
    ...asRead(state, changes),
    ...reportsAsRead(state, changes),
    ...atMost(state, changes),
  ];
  let before = cause;
  const events = changes.events.map(({ type, data, actor: by = actor }, index) => {
    const event = {
      id: index === 0 ? id : newId(),
      type,
      subject: dealSubject(deal),
      at,
      actor: by,
      cause: before,
      data,
    };
    before = event.id;
    return event;
  });
  const { insert, change } = changes;
  return { expect, insert, change, events, version: version + events.length };
}

/** Expects that a record to be inserted does not exist. */
function absent({ kind, row }: Insert): Expectation {
  return { absent: kind, key: Reflect.get(row, shapeOf(kind).key) as unknown } as Expectation;
}

/** Expects that changed records are still as they were read, if a condition can express that. */
function asRead(state: DealState, { change }: Changes): readonly Expectation[] {
  const read = new Map<string, ReadonlyMap<unknown, object>>();
  return change.flatMap(({ kind, key, set }) => {
    if (kind === 'deal') return [];
    const { key: own, conditions } = shapeOf(kind);
    const rows = read.get(kind) ?? new Map(state[kind].map((row) => [Reflect.get(row, own), row]));
    read.set(kind, rows);
    const row = rows.get(key) as object;
    const changed = conditions.filter((field) => field in set);
    const where = Object.fromEntries(changed.map((field) => [field, [Reflect.get(row, field)]]));
    return [{ present: kind, key, where } as Expectation];
  });
}

/** A report may come without an event, so the version does not show it: reports are counted. */
function reportsAsRead(state: DealWith<DealPart>, { insert }: Changes): readonly Expectation[] {
  if (!insert.some(({ kind }) => kind === 'payment_report')) return [];
  const than = state.payment_report.length + 1;
  return [{ fewer: 'payment_report', under: state.deal.partner_id, than }];
}

/** Proposals are counted, not read: there may be many. */
function atMost({ deal }: DealState, { atMost }: Changes): readonly Expectation[] {
  if (atMost === undefined) return [];
  const where = { proposed_by: [atMost.proposed_by] };
  return [{ fewer: 'proposal', under: deal.partner_id, than: atMost.count, where }];
}
