import { type DomainEvent, readEvent, type Store, type Tenant } from 'dealwright/ports';
import { createEventCheck } from './check-events.js';
import { dealAnswer, type Intent, type Journal } from './journal.js';
import { text } from './send.js';

/** The store below the service, by its ports alone. */
export type PortsBelow = Pick<Store, 'deals' | 'events' | 'due'>;

/** The position in the events of a tenant, and the state from them. */
interface Reading {
  cursor: string | undefined;
  count: number;
  /** The last sequence of each subject. */
  readonly sequences: Map<string, number>;
  /** Integers of deals and stages, each used by one record. */
  readonly numbers: Set<string>;
}

/**
 * Reads the events since the last time, and the record of each: no number is missing, no event
 * lacks its record or comes twice, and nothing acknowledged lacks its event.
 */
export function createStoreCheck(journal: Journal) {
  const readings = new Map<Tenant, Reading>();
  const told = new Set<Intent>();
  const life = createEventCheck(journal);
  const events = () => [...readings.values()].reduce((sum, { count }) => sum + count, 0);

  async function check(store: PortsBelow): Promise<void> {
    const intents = new Map<string, Intent>(
      journal.intents.filter(({ kind }) => kind !== 'file').map((each) => [subjectOf(each), each]),
    );
    const files = new Map(
      journal.intents.filter(({ kind }) => kind === 'file').map((each) => [each.name, each]),
    );
    for (const tenant of new Set(journal.intents.map((each) => each.tenant))) {
      const reading = readings.get(tenant) ?? createReading();
      readings.set(tenant, reading);
      for await (const event of newEvents(store.events, tenant, reading, journal)) {
        const intent =
          event.type === 'work_file.stored'
            ? files.get(event.data.name)
            : intents.get(event.subject);
        if (!/^(contractor\.registered|deal\.created|work_file\.stored)$/.test(event.type)) {
          life.read(event);
        } else if (intent === undefined || intent.tenant !== tenant) {
          journal.problems.push(`nobody asked for ${text(event)}`);
        } else if (told.has(intent)) {
          journal.complain(intent, `has a second event: ${text(event)}`);
        } else {
          told.add(intent);
          await checkRecord(store, journal, reading, intent, event);
        }
      }
    }
    for (const intent of journal.intents) {
      if (intent.isKnown && !told.has(intent)) {
        journal.complain(intent, 'was acknowledged, and has no event');
      }
    }
    life.check();
  }
  return { check, events };
}

const createReading = (): Reading => ({
  cursor: undefined,
  count: 0,
  sequences: new Map(),
  numbers: new Set(),
});

/** The subject of its events. */
function subjectOf({ kind, name }: Intent): string {
  return `${kind === 'contractor' ? 'contractor' : 'deal'}:${name}`;
}

async function* newEvents(
  log: Store['events'],
  tenant: Tenant,
  reading: Reading,
  journal: Journal,
): AsyncGenerator<DomainEvent> {
  for (;;) {
    const page = (await log.after(tenant, reading.cursor, 200))._unsafeUnwrap();
    if (page === 'invalid_cursor') {
      journal.problems.push(`the log of ${tenant.partner} knows ${reading.cursor} no more`);
      return;
    }
    if (page.events.length === 0) return;
    for (const row of page.events) {
      const event = readEvent(tenant, row);
      const sequence = (reading.sequences.get(event.subject) ?? 0) + 1;
      reading.sequences.set(event.subject, sequence);
      if (event.sequence !== sequence) {
        journal.problems.push(`number ${sequence} of its subject would be next: ${text(event)}`);
      }
      reading.count += 1;
      yield event;
    }
    reading.cursor = page.cursor;
    // ADR 0024: the cursor is the number of the event in its tenant's log, which has no gaps
    if (page.cursor !== String(reading.count)) {
      journal.problems.push(`event ${reading.count} of ${tenant.partner} is at ${page.cursor}`);
    }
  }
}

async function checkRecord(
  store: PortsBelow,
  journal: Journal,
  reading: Reading,
  intent: Intent,
  event: DomainEvent,
): Promise<void> {
  const { tenant } = intent;
  // no read returns a contractor: the archive has it
  if (intent.kind === 'contractor') return;
  const of = intent.kind === 'file' ? intent.of : intent;
  const parts = ['stage', 'work_file'] as const;
  const found = (await store.deals.byPartnerId(tenant, of?.name ?? '', parts))._unsafeUnwrap();
  if (found === undefined) return journal.complain(intent, 'has an event and no deal');
  if (event.type === 'work_file.stored') {
    const kept = found.work_file.filter((file) => file.id === event.data.work_file_id);
    if (kept.length !== 1) journal.complain(intent, `${kept.length} records of it`);
    return;
  }
  const { id } = found.deal;
  const ids = found.stage.map((stage) => stage.id);
  if (ids.length === 0) journal.complain(intent, 'has no stages');
  for (const each of [id, ...ids]) {
    const name = `${tenant.environment} ${each}`;
    if (reading.numbers.has(name)) journal.complain(intent, `${each} is of another record`);
    reading.numbers.add(name);
  }
  const answer = dealAnswer(intent);
  // a bonus is a stage that was added later
  const stage_ids = ids.slice(0, answer?.stage_ids.length);
  if (answer !== undefined && text(answer) !== text({ id, stage_ids })) {
    journal.complain(intent, `was answered as ${text(answer)}, and is ${text({ id, ids })}`);
  }
}
