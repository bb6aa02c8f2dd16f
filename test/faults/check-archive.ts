import {
  type ArchiveRecord,
  type DealPart,
  dealParts,
  type Stored,
  type Tenant,
} from 'dealwright/ports';
import { checkTerms, type Kept, wholeRows } from '../life/kept-rows.js';
import { moneyProblems } from './check-money.js';
import type { Given, Intent, Journal } from './journal.js';
import { text } from './send.js';
import type { Effect } from './service.js';

/** A contractor or a deal with all its records, and its events in order. */
interface Subject {
  readonly events: Stored<'event'>[];
  record?: Extract<ArchiveRecord, { readonly kind: 'contractor' | 'deal' }>;
  readonly parts: { readonly [K in DealPart | keyof Kept]: Stored<K>[] };
}

/** The answers under the idempotency keys of a tenant, by scope and key. */
type Answers = Map<string, Stored<'answer'>>;

/**
 * Reads all records of the store: each record has its events and its first answer, each event its
 * record, and there are no duplicates, halves or records that were not requested.
 */
export async function checkArchive(
  journal: Journal,
  records: AsyncIterable<ArchiveRecord>,
  effects: readonly Effect[],
): Promise<number> {
  const subjects = new Map<string, Subject>();
  const subjectOf = (tenant: Tenant, name: string): Subject => {
    const place = `${tenant.environment}:${tenant.partner} ${name}`;
    const subject = subjects.get(place) ?? { events: [], parts: createParts() };
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
    else if (kind === 'answer') {
      // the answer of an attempt, or one shared by the keys of one version, has no key of a caller
      if (!/^(attempt|state) /.test(row.answer_key))
        answers.set(`${tenant.partner} ${row.answer_key}`, row);
    } else if (record.kind === 'deal' || record.kind === 'contractor') {
      if (record.kind === 'deal') once(tenant, record.row.id);
      const name =
        record.kind === 'deal' ? `deal:${record.row.partner_id}` : `contractor:${record.row.email}`;
      const subject = subjectOf(tenant, name);
      if (subject.record !== undefined) journal.problems.push(`${name} exists twice`);
      subject.record = record;
    } else if (isPart(record)) {
      const { parts } = subjectOf(tenant, `deal:${record.row.partner_id}`);
      if (record.kind === 'stage') once(tenant, record.row.id);
      // a kind and its row belong together, but the compiler cannot see that here
      (parts[record.kind] as object[]).push(record.row);
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
    const known = { ...subject, record };
    const own = effects.filter(
      (each) => each.partner === intent.tenant.partner && each.partner_id === intent.name,
    );
    for (const problem of [
      ...problemsOf(intent, known, files, answers),
      ...(record.kind === 'deal' ? moneyProblems({ ...subject.parts, deal: record.row }, own) : []),
    ]) {
      journal.complain(intent, problem);
    }
  }
  for (const given of journal.commands) checkAnswer(given, answers, journal);
  for (const place of subjects.keys()) journal.problems.push(`nobody asked for ${place}`);
  for (const key of answers.keys()) journal.problems.push(`nobody has used the key ${key}`);
  return count;
}

const createParts = (): Subject['parts'] => ({
  stage: [],
  work_file: [],
  employer_payment: [],
  contractor_payment: [],
  posting: [],
  intent: [],
  payment_report: [],
  proposal: [],
  terms: [],
});

/** A command that was done has its answer under its key; no other command has one. */
function checkAnswer({ answer, ...given }: Given, answers: Answers, journal: Journal): void {
  const { key, tenant, of } = given;
  if (key === undefined) return;
  const name = `${tenant.partner} command partner ${of.name} ${key}`;
  if (answer !== undefined && !answers.has(name)) {
    journal.complain(given, 'has not the answer of its key');
  }
  if (answer !== undefined) answers.delete(name);
}

function* problemsOf(
  intent: Intent,
  {
    record,
    events,
    parts: { stage: stages, work_file: files, ...kept },
  }: Subject & Pick<Required<Subject>, 'record'>,
  intents: ReadonlyMap<string, Intent>,
  answers: Answers,
): Generator<string> {
  const [first] = events;
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
  const state = { deal: record.row, stage: stages };
  const flaw = checkTerms(state, wholeRows(state, kept));
  if (flaw !== undefined) yield `its terms: ${flaw}`;
  const told = events.flatMap(({ type, data }) =>
    type === 'work_file.stored' ? [data['work_file_id']] : [],
  );
  if (text(files.map(({ id }) => id).sort()) !== text(told.sort())) {
    yield `its files are ${text(files)}, and its events ${text(told)}`;
  }
  for (const row of files) {
    const file = intents.get(row.name);
    if (file?.of !== intent) yield `nobody asked for its file ${row.name}`;
    else if (!hasAnswer(file, 'work_file', row, answers)) {
      yield `its file ${row.name} has not the answer of its key`;
    }
  }
}

/** Whether the answer under a key, if there was one, is of the attempt that made the record. */
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
  return answer?.attempt === attempt;
}

function isPart(
  record: ArchiveRecord,
): record is Extract<ArchiveRecord, { kind: DealPart | keyof Kept }> {
  return [...dealParts, 'proposal', 'terms'].some((kind) => kind === record.kind);
}
