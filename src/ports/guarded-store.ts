import { ok } from 'neverthrow';
import type { DealFilter } from '../domain/deals/deal-list.js';
import type {
  DealPart,
  EndingKind,
  KeyOf,
  ListedKind,
  RecordKind,
  TimedKind,
} from '../domain/records/records.js';
import { isStored } from '../domain/records/stored.js';
import { type Environment, isTenant, type Tenant } from '../domain/values/tenant.js';
import { isUlid } from '../domain/values/ulid.js';
import type { Answer } from './answer.js';
import type { Ask } from './ask.js';
import { isDeal, isIndexed, isOutcome } from './kept-promises.js';
import type { DealRange, IndexOwner, IndexRange, RecordRange, Store } from './store.js';
import type { WriteSet } from './write-set.js';

/** Guards a store as `guardPorts` does. */
export function guardStore(store: Store, ask: Ask) {
  const read = <T>(port: string, call: () => Answer<T>, isKept: (answer: T) => boolean) =>
    ask(port, 'none', call, isKept);
  return {
    commit: (tenant: Tenant, write: WriteSet) =>
      ask(
        'store.commit',
        'unknown',
        () => store.commit(tenant, write),
        (outcome) => isOutcome(outcome, write),
      ),
    reserve: (environment: Environment, count: number, above?: number) =>
      read(
        'store.reserve',
        () => store.reserve(environment, count, above),
        (first) =>
          first > (above ?? 0) &&
          Number.isSafeInteger(first) &&
          Number.isSafeInteger(first + (count - 1)),
      ),
    dealById: <P extends DealPart>(tenant: Tenant, id: number, parts: readonly P[]) =>
      read(
        'store.deals.byId',
        () => store.deals.byId(tenant, id, parts),
        (found) => isDeal(found, parts) && (found === undefined || found.deal.id === id),
      ),
    dealByPartnerId: <P extends DealPart>(
      tenant: Tenant,
      partner_id: string,
      parts: readonly P[],
    ) =>
      read(
        'store.deals.byPartnerId',
        () => store.deals.byPartnerId(tenant, partner_id, parts),
        (found) =>
          isDeal(found, parts) && (found === undefined || found.deal.partner_id === partner_id),
      ),
    dealByPaymentToken: <P extends DealPart>(
      tenant: Tenant,
      payment_token: string,
      parts: readonly P[],
    ) =>
      read(
        'store.deals.byPaymentToken',
        () => store.deals.byPaymentToken(tenant, payment_token, parts),
        (found) =>
          isDeal(found, parts) &&
          (found === undefined || found.deal.payment_token === payment_token),
      ),
    due: <K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      under?: string,
    ) =>
      read(
        'store.due',
        () => store.due(tenant, kind, before, limit, under),
        (found) => found.every((row) => isStored(kind, row)),
      ),
    /** A store that keeps everything lacks the method: nothing is deleted. */
    prune: (kind: EndingKind, before: string, limit: number) =>
      ask(
        'store.prune',
        'unknown',
        () => store.prune?.(kind, before, limit) ?? ok(0),
        (count) => Number.isSafeInteger(count) && count >= 0 && count <= limit,
      ),
    tenants: (after: Tenant | undefined, limit: number, before?: string) =>
      read(
        'store.tenants',
        () => store.tenants(after, limit, before),
        (found) => found.every(({ tenant, end }) => isTenant(tenant) && typeof end === 'string'),
      ),
    eventsAfter: (tenant: Tenant, cursor: string | undefined, limit: number) =>
      read(
        'store.events.after',
        () => store.events.after(tenant, cursor, limit),
        (page) =>
          page === 'invalid_cursor' ||
          (page.events.every((event) => isStored('event', event)) &&
            typeof page.cursor === 'string' &&
            typeof page.end === 'string'),
      ),
    eventsOf: (tenant: Tenant, subject: string, sequence: number, limit: number) =>
      read(
        'store.events.of',
        () => store.events.of(tenant, subject, sequence, limit),
        (events) => events.every((event) => isStored('event', event) && event.sequence > sequence),
      ),
    recordByKey: <K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) =>
      read(
        'store.records.byKey',
        () => store.records.byKey(tenant, kind, key),
        (found) => found === undefined || isStored(kind, found),
      ),
    listRecords: <K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) =>
      read(
        'store.records.list',
        () => store.records.list(tenant, kind, range),
        (found) => found.length <= range.limit && found.every((row) => isStored(kind, row)),
      ),
    recordsByIndex: <K extends RecordKind>(owner: IndexOwner, kind: K, range: IndexRange) =>
      read(
        'store.records.byIndex',
        () => store.records.byIndex(owner, kind, range),
        (found) => found.length <= range.limit && found.every((each) => isIndexed(kind, each)),
      ),
    listDeals: (tenant: Tenant, filter: DealFilter, range: DealRange) =>
      read(
        'store.deals.list',
        () => store.deals.list(tenant, filter, range),
        (found) => found.length <= range.limit && found.every((deal) => isUlid(deal.attempt)),
      ),
    /** `undefined` if the store has no id. */
    storeIdentity: () =>
      read(
        'store.identity',
        () => store.identity?.() ?? ok(undefined),
        (id) => id === undefined || isUlid(id),
      ),
    recordedWorkFiles: (tenant: Tenant, asked: readonly string[]) =>
      read(
        'store.workFiles.recorded',
        () => store.workFiles.recorded(tenant, asked),
        Array.isArray,
      ),
  };
}
