import type {
  DealPart,
  DealWith,
  EventPage,
  ListedDeal,
  PortFailure,
  Store,
  Stored,
  Tenant,
  TimedKind,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { tenantOf, tenantText } from '../sql/tenant.js';
import {
  dealStatement,
  dueStatement,
  eventsStatement,
  type Finder,
  listStatement,
  listValues,
  listVariant,
  recordedStatement,
  tenantsStatement,
} from './read-sql.js';
import { type SendOnce, sendUntil } from './send.js';
import type { Statement } from './statement.js';

type Texts = readonly (string | null)[];

/** What a PostgreSQL store reads: each is one statement. */
export function createReads(send: SendOnce, schema: string): Omit<Store, 'commit' | 'reserve'> {
  const read = <T>(
    statement: Statement,
    values: (string | number)[],
    answerOf: (texts: Texts) => T,
  ): Promise<Result<T, PortFailure>> =>
    sendUntil(async (retries) => (await send(statement, values, 1, retries)).map(answerOf), 'read');
  const statements = new Map<string, Statement>();
  const known = (name: string, make: () => Statement) => {
    const found = statements.get(name) ?? make();
    statements.set(name, found);
    return found;
  };
  const deal = <P extends DealPart>(
    by: Finder,
    tenant: Tenant,
    value: string | number,
    parts: readonly P[],
  ) => {
    const name = `${by} ${parts.join(' ')}`;
    const statement = known(name, () => dealStatement(schema, by, parts));
    return read(statement, [tenantText(tenant), value], ([text]) =>
      typeof text === 'string' ? (JSON.parse(text) as DealWith<P>) : undefined,
    );
  };
  const recorded = recordedStatement(schema);
  const eventsAfter = eventsStatement(schema);
  const tenants = tenantsStatement(schema);

  return {
    deals: {
      byId: (tenant, id, parts) =>
        Number.isSafeInteger(id) ? deal('byId', tenant, id, parts) : ok(undefined),
      byPartnerId: (tenant, partner_id, parts) => deal('byPartnerId', tenant, partner_id, parts),
      byPaymentToken: (tenant, payment_token, parts) =>
        deal('byPaymentToken', tenant, payment_token, parts),
      list(tenant, filter, range) {
        const variant = listVariant(filter, range);
        const statement = known(variant, () => listStatement(schema, filter, range));
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
        // how many events of the tenant were read
        const position = Number(cursor ?? '0');
        return read(eventsAfter, [tenantText(tenant), position, limit], ([text]) => {
          const { last, events } = JSON.parse(text ?? '') as Log;
          if (position > last) return 'invalid_cursor';
          return { events, cursor: String(position + events.length) };
        });
      },
    },
    due: <K extends TimedKind>(tenant: Tenant, kind: K, before: string, limit: number) => {
      const statement = known(`due ${kind}`, () => dueStatement(schema, kind));
      return read(statement, [tenantText(tenant), before, limit], (texts) =>
        texts.map((text) => JSON.parse(text ?? '') as Stored<K>),
      );
    },
    tenants: (after, limit) =>
      read(tenants, [after === undefined ? '' : tenantText(after), limit], (names) =>
        names.map((name) => tenantOf(name ?? '')),
      ),
  };
}

interface Log extends Pick<EventPage, 'events'> {
  readonly last: number;
}
