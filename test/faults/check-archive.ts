import type { ArchiveRecord, Stored, Tenant } from 'dealwright/ports';
import type { Intent, Journal } from './journal.js';
import { text } from './send.js';

/** A contractor or a deal with all that belongs to it, and its events in their order. */
interface Subject {
  readonly events: Stored<'event'>[];
  record?: Extract<ArchiveRecord, { readonly kind: 'contractor' | 'deal' }>;
  readonly stages: Stored<'stage'>[];
  readonly files: Stored<'work_file'>[];
}

/** What the idempotency keys of a tenant have answered, by scope and key. */
type Answers = Map<string, Stored<'answer'>>;

/**
 * Reads everything that the store holds: each record has its events and its first answer, each
 * event its record, and nothing exists twice, half or unasked.
 */
export async function checkArchive(
  journal: Journal,
  records: AsyncIterable<ArchiveRecord>,
): Promise<number> {
  const subjects = new Map<string, Subject>();
  const subjectOf = (tenant: Tenant, name: string): Subject => {
    const place = `${tenant.environment}:${tenant.partner} ${name}`;
    const subject = subjects.get(place) ?? { events: [], stages: [], files: [] };
    subjects.set(place, subject);
    return subject;
  };
  const answers: Answers = new Map();
  const numbers = new Set<string>();
  const once = ({ environment }: Tenant, number: number) => {
    const name = `${environment} ${number}`;
    if (numbers.has(name)) journal.problems.push(`the integer ${number} exists twice`);
    numbers.add(name);
  };
  let count = 0;
  for await (const record of records) {
    count += 1;
    const { tenant, kind, row } = record;
    if (kind === 'event') subjectOf(tenant, row.subject).events.push(row);
    else if (kind === 'answer') answers.set(`${tenant.partner} ${row.answer_key}`, row);
    else if (kind === 'work_file') subjectOf(tenant, `deal:${row.partner_id}`).files.push(row);
    else if (kind === 'stage') {
      once(tenant, row.id);
      subjectOf(tenant, `deal:${row.partner_id}`).stages.push(row);
    } else if (record.kind === 'deal' || record.kind === 'contractor') {
      if (record.kind === 'deal') once(tenant, record.row.id);
      const name =
        record.kind === 'deal' ? `deal:${record.row.partner_id}` : `contractor:${record.row.email}`;
      const subject = subjectOf(tenant, name);
      if (subject.record !== undefined) journal.problems.push(`${name} exists twice`);
      subject.record = record;
    } else {
      journal.problems.push(`nobody asked for the ${kind} of ${record.row.partner_id}`);
    }
  }
  const files = new Map(
    journal.intents.filter(({ kind }) => kind === 'file').map((each) => [each.name, each]),
  );
  for (const intent of journal.intents) {
    if (intent.kind === 'file') continue;
    const name = `${intent.kind === 'contractor' ? 'contractor' : 'deal'}:${intent.name}`;
    const subject = subjectOf(intent.tenant, name);
    const { record, events } = subject;
    subjects.delete(`${intent.tenant.environment}:${intent.tenant.partner} ${name}`);
    if (record === undefined) {
      if (intent.isKnown) journal.complain(intent, 'was acknowledged, and has no record');
      if (events.length > 0) journal.complain(intent, `has no record, but ${text(events)}`);
      continue;
    }
    for (const problem of problemsOf(intent, { ...subject, record }, files, answers)) {
      journal.complain(intent, problem);
    }
  }
  for (const place of subjects.keys()) journal.problems.push(`nobody asked for ${place}`);
  for (const key of answers.keys()) journal.problems.push(`nobody has used the key ${key}`);
  return count;
}

function* problemsOf(
  intent: Intent,
  { record, events, stages, files }: Subject & Pick<Required<Subject>, 'record'>,
  intents: ReadonlyMap<string, Intent>,
  answers: Answers,
): Generator<string> {
  const [first, ...later] = events;
  const created = intent.kind === 'contractor' ? 'contractor.registered' : 'deal.created';
  const version = record.kind === 'deal' ? record.row.api_version : undefined;
  const expected = { contractor: undefined, deal: '1.0', deal_v2: '2.0', file: '' }[intent.kind];
  if (version !== expected) yield `is a ${record.kind} of version ${version}`;
  if (first?.type !== created) yield `its first event is ${text(first)}`;
  // the version is the sequence of the last event
  if (record.row.version !== events.length) {
    yield `is at ${record.row.version} with ${text(events)}`;
  }
  if (events.some(({ sequence }, index) => sequence !== index + 1)) yield `gaps in ${text(events)}`;
  const scope = record.kind === 'contractor' ? 'contractor' : 'deal';
  if (!hasAnswer(intent, scope, record.row, answers)) yield 'has not the answer of its key';
  if (record.kind !== 'deal') return;
  if (stages.length === 0) yield 'has no stages';
  const told = later.map((event) =>
    event.type === 'work_file.stored' ? event.data['work_file_id'] : event.type,
  );
  if (text(files.map(({ id }) => id).sort()) !== text(told.sort())) {
    yield `its files are ${text(files)}, and its events ${text(later)}`;
  }
  for (const row of files) {
    const file = intents.get(row.name);
    if (file?.of !== intent) yield `nobody asked for its file ${row.name}`;
    else if (!hasAnswer(file, 'work_file', row, answers)) {
      yield `its file ${row.name} has not the answer of its key`;
    }
  }
}

/** Whether the answer under a key, where there was one, is of the attempt that made the record. */
function hasAnswer(
  { key, tenant }: Intent,
  scope: string,
  { attempt }: { readonly attempt: string },
  answers: Answers,
): boolean {
  if (key === undefined) return true;
  const name = `${tenant.partner} ${scope} ${key}`;
  const answer = answers.get(name);
  answers.delete(name);
  return answer?.attempt === attempt && answer.fingerprint !== '';
}
