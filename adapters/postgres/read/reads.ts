import type {
  EventPage,
  Indexed,
  IndexOwner,
  IndexRange,
  KeyOf,
  Kind,
  ListedDeal,
  ListedKind,
  RecordKind,
  RecordRange,
  Store,
  Stored,
  Tenant,
  TimedKind,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { byCodePoint } from '../../shared/code-points.js';
import { indexValues } from '../../sql/index-range.js';
import { tables } from '../../sql/tables.js';
import { tenantOf, tenantText } from '../../sql/tenant.js';
import { isUnsupported } from '../connection/failures.js';
import type { Settings } from '../connection/options.js';
import type { KnownStatements, SendOnce } from '../connection/send.js';
import { createDealReads } from './deal-reads.js';
import type { Reading, Texts, Values } from './read-sql.js';
import {
  dueStatement,
  eventsOfStatement,
  eventsStatement,
  indexStatement,
  indexVariant,
  listStatement,
  listValues,
  listVariant,
  rangeStatement,
  rangeValues,
  rangeVariant,
  recordedStatement,
  recordStatement,
  tenantsDueStatement,
  tenantsStatement,
  tenantsWithDueStatement,
} from './read-sql.js';

/** The reads of a PostgreSQL store: one statement each; simultaneous reads of deals share one. */
export function createReads(
  send: SendOnce,
  reading: Reading,
  settings: Pick<Settings, 'schema' | 'gather'>,
  known: KnownStatements,
): Omit<Store, 'commit' | 'reserve' | 'watch'> {
  const { schema } = settings;
  const deal = createDealReads(send, reading, settings, known);
  const { ofTenant: read, ofAll } = reading;
  const recorded = known('recorded', () => recordedStatement(schema));
  const eventsAfter = known('events after', () => eventsStatement(schema));
  const eventsOf = known('events of', () => eventsOfStatement(schema));
  const tenants = known('tenants', () => tenantsStatement(schema));
  const tenantsDue = known('tenants due', () => tenantsDueStatement(schema));
  const tenantsWithDue = known('tenants with due', () => tenantsWithDueStatement(schema));

  return {
    deals: {
      byId: (tenant, id, parts) =>
        Number.isSafeInteger(id) ? deal('byId', parts)({ tenant, value: id }) : ok(undefined),
      byPartnerId: (tenant, value, parts) => deal('byPartnerId', parts)({ tenant, value }),
      byPaymentToken: (tenant, value, parts) => deal('byPaymentToken', parts)({ tenant, value }),
      list(tenant, filter, range) {
        const variant = listVariant(filter, range);
        const statement = known(`list ${variant}`, () => listStatement(schema, filter, range));
        const isOlder = range.direction === 'older';
        return read(statement, listValues(tenantText(tenant), filter, range), (texts) => {
          const found = texts.map((text) => JSON.parse(text ?? '') as ListedDeal);
          return isOlder ? found : found.reverse();
        });
      },
    },
    workFiles: {
      recorded: (tenant, ids) =>
        ids.length === 0
          ? ok([])
          : read(recorded, [tenantText(tenant), JSON.stringify(ids)], (found) =>
              found.filter((id) => id !== null),
            ),
    },
    events: {
      after(tenant, cursor, limit) {
        if (!/^(?:0|[1-9]\d{0,14})$/.test(cursor ?? '0')) return ok('invalid_cursor');
        // the number of events of the tenant that were read
        const position = Number(cursor ?? '0');
        return read(eventsAfter, [tenantText(tenant), position, limit], ([text]) => {
          const { last, events } = JSON.parse(text ?? '') as Log;
          if (position > last) return 'invalid_cursor';
          return { events, cursor: String(position + events.length), end: String(last) };
        });
      },
      of: (tenant, subject, sequence, limit) =>
        read(eventsOf, [tenantText(tenant), subject, sequence, limit], rowsOf<'event'>),
    },
    records: {
      byKey<K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) {
        const statement = known(`record ${kind}`, () => recordStatement(schema, kind));
        return read(statement, [tenantText(tenant), key], (texts) => rowsOf<K>(texts)[0]);
      },
      list<K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) {
        const variant = rangeVariant(kind, range);
        const statement = known(`range ${variant}`, () => rangeStatement(schema, kind, range));
        return read(statement, rangeValues(tenantText(tenant), kind, range), rowsOf<K>);
      },
      byIndex<K extends RecordKind>(owner: IndexOwner, kind: K, range: IndexRange) {
        const variant = indexVariant(owner, kind, range);
        const statement = known(`index ${variant}`, () =>
          indexStatement(schema, owner, kind, range),
        );
        const send = owner.partner === undefined ? ofAll : read;
        // a range has no value that is null
        const values = indexValues(owner, range) as Values;
        return send(statement, values, (texts) => indexedOf<K>(texts, range));
      },
    },
    due: <K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      under = '',
    ) => {
      const statement = known(`due ${kind}`, () => dueStatement(schema, kind));
      const above = tables[kind].dueUnder.map(() => under);
      return read(statement, [tenantText(tenant), before, limit, ...above], rowsOf<K>);
    },
    async tenants(after, limit, before) {
      const from = after === undefined ? '' : tenantText(after);
      const logs = (texts: Texts) => texts.map((text) => JSON.parse(text ?? '') as TenantRow);
      const all = () => ofAll(tenants, [from, limit], logs);
      const due = async (time: string) => {
        const some = await ofAll(tenantsDue, [from, limit, time], logs);
        const isMore = some.isOk() && some.value.some(([, , isMany]) => isMany === true);
        return isMore ? ofAll(tenantsWithDue, [from, limit, time], logs) : some;
      };
      const asked = before === undefined ? await all() : await due(before);
      // if a cluster does not support the statement, all tenants are returned
      const found = asked.isErr() && isUnsupported(asked.error.cause) ? await all() : asked;
      return found.map((rows) =>
        // each node of a cluster returns as many
        rows.slice(0, limit).map(([name, last]) => ({ tenant: tenantOf(name), end: String(last) })),
      );
    },
  };
}

function rowsOf<K extends Kind>(texts: Texts): readonly Stored<K>[] {
  return texts.map((text) => JSON.parse(text ?? '') as Stored<K>);
}

/** The records of a range in its order: each node of a cluster returns as many. */
function indexedOf<K extends RecordKind>(
  texts: Texts,
  { index, equal, direction, limit }: IndexRange,
): readonly Indexed<K>[] {
  const found = texts.map((text): Indexed<K> => {
    const [tenant, row] = JSON.parse(text ?? '') as [string, Indexed<K>['row']];
    return { partner: tenantOf(tenant).partner, row };
  });
  const fields = index.slice(equal.length);
  const sign = direction === 'ascending' ? 1 : -1;
  const fieldOf = ({ row }: Indexed<K>, field: string) => String(Reflect.get(row, field));
  const compare = (a: Indexed<K>, b: Indexed<K>) => {
    const differs = fields.find((field) => fieldOf(a, field) !== fieldOf(b, field));
    return differs === undefined ? 0 : sign * byCodePoint(fieldOf(a, differs), fieldOf(b, differs));
  };
  return found.sort(compare).slice(0, limit);
}

type TenantRow = readonly [name: string, last: number, isMany?: boolean];

interface Log extends Pick<EventPage, 'events'> {
  readonly last: number;
}
