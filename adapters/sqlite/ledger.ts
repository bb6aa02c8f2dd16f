import type { DomainEvent } from 'dealwright/ports';
import type { Inserts } from './inserts.js';
import type { Prepare } from './sqlite-like.js';

/** What a transaction gives out: ids and the positions of events. */
export interface Ledger {
  /** The first of so many ids that nobody else has. */
  takeIds(count: number): number;
  /** Puts the events of a write behind those of its tenant. */
  append(tenant: string, events: readonly DomainEvent[]): void;
  /** Writes down how far ids and positions have got: the last thing before the commit. */
  settle(): void;
  /** Whether all this is in the database, to be asked once the transaction is over. */
  isThere(): boolean;
}

/** Opens the ledger of a transaction, which must have begun. */
export function createLedgers(prepare: Prepare, inserts: Inserts): () => Ledger {
  const readNext = prepare('select next from dealwright_ids');
  const writeNext = prepare('update dealwright_ids set next = ?');
  const readPosition = prepare('select last_position from dealwright_tenants where tenant = ?');
  const writePosition = prepare(`insert into dealwright_tenants (tenant, last_position)
    values (?, ?) on conflict (tenant) do update set last_position = excluded.last_position`);
  const findEvent = prepare(
    'select 1 as found from dealwright_events where tenant = ? and position = ? and id = ?',
  );

  return () => {
    const positions = new Map<string, number>();
    let next: number | undefined;
    let last: readonly [tenant: string, position: number, id: string] | undefined;
    return {
      takeIds(count) {
        const first = next ?? readNext.get<{ next: number }>()?.next;
        if (first === undefined) throw new Error('the row of dealwright_ids is missing');
        if (first + count - 1 > Number.MAX_SAFE_INTEGER) throw new Error('all ids are given out');
        next = first + count;
        return first;
      },
      append(tenant, events) {
        let position =
          positions.get(tenant) ??
          readPosition.get<{ last_position: number }>(tenant)?.last_position ??
          0;
        for (const event of events) {
          position += 1;
          inserts.event(tenant, position, event);
          last = [tenant, position, event.id];
        }
        positions.set(tenant, position);
      },
      settle() {
        if (next !== undefined) writeNext.run(next);
        for (const [tenant, position] of positions) writePosition.run(tenant, position);
      },
      // every change has an event, and all of a transaction is there or nothing
      isThere: () => last === undefined || findEvent.get(...last) !== undefined,
    };
  };
}
