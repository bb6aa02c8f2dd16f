import type { DomainEvent, StoreRecord, Tenant } from 'dealwright/ports';
import type { Intent, Journal } from './journal.js';
import { text } from './send.js';

/** The events of a subject, in their order, and its record. */
interface Subject {
  readonly events: DomainEvent[];
  record?: Exclude<StoreRecord, { readonly record: 'event' }>;
}

/**
 * Reads everything that the store holds: each record has its events and its idempotency record, each
 * event its record, and nothing is there twice, half or unasked.
 */
export async function checkArchive(
  journal: Journal,
  records: AsyncIterable<StoreRecord>,
): Promise<number> {
  const subjects = new Map<string, Subject>();
  const subjectOf = (tenant: Tenant, name: string): Subject => {
    const place = `${tenant.environment}:${tenant.partner} ${name}`;
    const subject = subjects.get(place) ?? { events: [] };
    subjects.set(place, subject);
    return subject;
  };
  const ids = new Set<number>();
  const stageIds = new Set<number>();
  const once = (all: Set<number>, id: number, what: string) => {
    if (all.has(id)) journal.problems.push(`${what} ${id} is there twice`);
    all.add(id);
  };
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (record.record === 'event') {
      subjectOf(record.tenant, record.event.subject).events.push(record.event);
      continue;
    }
    const subject = subjectOf(record.tenant, nameOf(record));
    if (subject.record !== undefined) journal.problems.push(`${nameOf(record)} is there twice`);
    subject.record = record;
    if (record.record === 'deal') {
      once(ids, record.deal.id, 'deal');
      for (const stage of record.deal.stages) once(stageIds, stage.id, 'stage');
    }
  }
  const files = new Map(
    journal.intents.filter(({ kind }) => kind === 'file').map((each) => [each.name, each]),
  );
  for (const intent of journal.intents) {
    if (intent.kind === 'file') continue;
    const name = `${intent.kind === 'contractor' ? 'contractor' : 'deal'}:${intent.name}`;
    const { record, events } = subjectOf(intent.tenant, name);
    subjects.delete(`${intent.tenant.environment}:${intent.tenant.partner} ${name}`);
    if (record === undefined) {
      if (intent.isKnown) journal.complain(intent, 'was acknowledged, and has no record');
      if (events.length > 0) journal.complain(intent, `has no record, but ${text(events)}`);
      continue;
    }
    for (const problem of problemsOf(intent, record, events, files)) {
      journal.complain(intent, problem);
    }
  }
  for (const place of subjects.keys()) journal.problems.push(`nobody asked for ${place}`);
  return count;
}

function nameOf(record: Exclude<StoreRecord, { readonly record: 'event' }>): string {
  return record.record === 'contractor'
    ? `contractor:${record.key.email_key}`
    : `deal:${record.deal.partner_id}`;
}

function* problemsOf(
  intent: Intent,
  record: NonNullable<Subject['record']>,
  events: readonly DomainEvent[],
  files: ReadonlyMap<string, Intent>,
): Generator<string> {
  const [first, ...later] = events;
  const created = intent.kind === 'contractor' ? 'contractor.registered' : 'deal.created';
  if (record.record !== intent.kind) yield `is a ${record.record}`;
  if (first?.type !== created) yield `its first event is ${text(first)}`;
  if (first?.id !== record.event_id) yield `its event is ${first?.id}, not ${record.event_id}`;
  // the version is the sequence of the last event
  if (record.version !== events.length) yield `is at ${record.version} with ${text(events)}`;
  if (events.some(({ sequence }, index) => sequence !== index + 1)) yield `gaps in ${text(events)}`;
  if (record.idempotency?.key !== intent.key) yield `has the key ${record.idempotency?.key}`;
  if (record.idempotency?.fingerprint === '') yield 'has no fingerprint';
  if (record.record !== 'deal') return;
  if (record.deal.stages.length === 0) yield 'has no stages';
  const kept = record.deal.stages.flatMap((stage) => stage.work_files);
  const told = later.map((event) =>
    event.type === 'work_file.stored' ? event.data.work_file_id : event.type,
  );
  if (text(kept.map(({ id }) => id).sort()) !== text(told.sort())) {
    yield `its files are ${text(kept)}, and its events ${text(later)}`;
  }
  for (const { id, name } of kept) {
    const file = files.get(name);
    const keys = record.work_file_keys.filter(({ file_id }) => file_id === id);
    if (file === undefined || file.of !== intent) yield `nobody asked for its file ${name}`;
    if (keys.length > 1 || keys[0]?.key !== file?.key) yield `its file ${name} has ${text(keys)}`;
  }
}
