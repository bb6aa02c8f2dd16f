import {
  type AnyRow,
  type RecordKind,
  shapeOf,
  type Value,
} from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { DealRange } from '../../src/ports/store.js';
import type { ArchiveRecord } from '../../src/ports/store-archive.js';
import type { WriteSet } from '../../src/ports/write-set.js';
import type { Model } from '../store/model.js';
import {
  extremes,
  kindsUnder,
  listedKinds,
  recordKinds,
  timedKinds,
  type Values,
} from '../store/rows.js';
import { duesOf, endOfTime, parts, sessionWith } from '../store/session.js';
import {
  acme,
  acmeLive,
  allEvents,
  ask,
  eventPage,
  globex,
  nextId,
  recordByKey,
  type StoreSubject,
} from '../store/subject.js';
import {
  absent,
  creation,
  eventOf,
  insertOf,
  move,
  newDeal,
  numbers,
  under,
  upload,
  writeOf,
} from '../store/writes.js';
import { ordered, rowIn } from './subject.js';

/** The tenants of a filled store, one of them with a name that is hard to store. */
export const tenants: readonly Tenant[] = [
  acme,
  globex,
  acmeLive,
  { environment: 'sandbox', partner: 'acme:sandbox:😀 "\\\n' },
];

const text = 'Zażółć 😀\u2028\u0001\n"\\';

/** Values that are hard to store. */
const hard: Values = {
  text: [text.repeat(500), '', text],
  integer: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0],
  money: [...extremes, '0.00'],
  json: [
    { b: [1, null, text, 2], a: null, '\u0001 😀': text },
    {},
    { '1e400': Number.MIN_SAFE_INTEGER },
  ],
  isNull: [true, false],
};

/** A write, and its tenant. */
export interface Sent {
  readonly tenant: Tenant;
  readonly write: WriteSet;
}

/** A filled store. */
export interface Filled {
  /** The model of the store. */
  readonly model: Model;
  /** Every record in it, as it was written, in the order of `ordered`. */
  readonly records: readonly ArchiveRecord[];
  /**
   * All writes sent again to a store that has them: unchanged, and as other attempts of the same.
   * No answer changes anything.
   */
  again(store: StoreSubject): Promise<readonly unknown[]>;
  /** Everything that its ports return. */
  read(store: StoreSubject): Promise<readonly unknown[]>;
}

/** Writes records of every kind into an empty store, for several tenants. */
export async function fill(store: StoreSubject): Promise<Filled> {
  const { model, commit } = sessionWith(store);
  const sent: Sent[] = [];
  const write = async (tenant: Tenant, given: WriteSet) => {
    sent.push({ tenant, write: given });
    await commit(tenant, given);
  };
  for (const tenant of tenants) {
    for (const kind of recordKinds.filter((each) => shapeOf(each).isSubject)) {
      for (const [at, name] of ['one', 'ONE', `${tenant.partner} two`].entries()) {
        await write(tenant, await creationOf(store, tenant, kind, name, at === 0));
      }
    }
    const own = await numbers(store, tenant, 3);
    await write(tenant, creation('worked', own));
    for (const version of [1, 3]) {
      const stage_id = own[version === 1 ? 2 : 1] ?? 0;
      await write(tenant, upload('worked', stage_id));
      await write(tenant, under(`work_file ${version}`, upload('worked', stage_id)));
      // two events and four, so that versions are not the number of writes
      await write(tenant, move('one', version, { status: 'accepted' }, 1 + version));
    }
  }
  return { model, records: recordsOf(model, sent), ...questions(sent, model) };
}

/** A write that creates a record of a kind, with two of each kind under it, and an answer. */
async function creationOf(
  store: StoreSubject,
  tenant: Tenant,
  kind: RecordKind,
  name: string,
  isHard: boolean,
): Promise<WriteSet> {
  const free = [...(await numbers(store, tenant, 10))];
  const insert: WriteSet['insert'][number][] = [];
  const put = (each: RecordKind, key: Value, parent: Value) => {
    const shape = shapeOf(each);
    const given: Record<string, Value> = {
      // in lists the extremes come first and last
      ...(each === 'deal' && {
        ...newDeal,
        created_at: isHard ? '0000-01-01T00:00:00.000Z' : '9999-12-31T23:59:59.999Z',
      }),
      [shape.key]: key,
      ...(shape.isTimed && { due_at: isHard ? '0000-01-01T00:00:00.000Z' : null }),
      ...(each === 'deal' && { payment_token: `token of ${name}` }),
      ...(shape.number === undefined ? {} : { [shape.number]: free.pop() ?? 0 }),
      ...(shape.under === undefined ? {} : { [shape.under.by]: parent }),
    };
    insert.push(insertOf(each, given, isHard ? hard : undefined));
  };
  put(kind, name, '');
  for (const part of kindsUnder(kind)) {
    for (const _ of ['one', 'two']) put(part, nextId(), name);
  }
  for (const other of recordKinds) {
    const { isSubject, under: above } = shapeOf(other);
    if (isSubject || above !== undefined) continue;
    put(other, `${kind} ${name}`, '');
    for (const part of kindsUnder(other)) put(part, nextId(), `${kind} ${name}`);
  }
  const expect = insert.map(({ kind: each, row }) => {
    const { key } = shapeOf(each);
    return absent(each, (row as AnyRow)[key] as string | number);
  });
  // as in the core, the expectation about the answer comes first
  const subject = { kind, key: name } as NonNullable<WriteSet['subject']>;
  const events = [eventOf(kind, name, isHard ? hard : undefined)];
  return writeOf({ expect: expect.reverse(), insert, subject, events });
}

/** Every record of a store after these writes, as it was written, and in one order. */
export function recordsOf(model: Model, sent: readonly Sent[]): readonly ArchiveRecord[] {
  const records = sent.flatMap(({ tenant, write }) =>
    write.insert.flatMap(({ kind, row }) => {
      const { key } = shapeOf(kind);
      const stored = model.of(tenant).find(kind, (row as AnyRow)[key] as string | number);
      const isMade = stored?.['attempt'] === write.attempt;
      return isMade ? [{ kind, tenant, row: stored } as ArchiveRecord] : [];
    }),
  );
  const events = [...model.named.tenants.values()].flatMap((tenant) =>
    model.events(tenant).map((row): ArchiveRecord => ({ kind: 'event', tenant, row })),
  );
  const deals = records.filter(({ kind }) => kind === 'deal');
  deals.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  return ordered([...deals, ...records.filter(({ kind }) => kind !== 'deal'), ...events]);
}

/** The place of a deal in the list of its tenant. */
export function placeOf(record: ArchiveRecord): string {
  const { created_at, attempt } = rowIn(record);
  return `${created_at} ${attempt}`;
}

function questions(sent: readonly Sent[], model: Model): Pick<Filled, 'again' | 'read'> {
  return {
    async again(store) {
      const answers: unknown[] = [];
      for (const { tenant, write } of sent) {
        answers.push(await ask(store.commit(tenant, write)));
        // a write that creates nothing would be committed again
        if (write.insert.length === 0) continue;
        answers.push(await ask(store.commit(tenant, { ...write, attempt: nextId() })));
      }
      return answers;
    },
    async read(store) {
      await store.settled?.();
      const answers: unknown[] = [];
      for (const tenant of tenants) {
        for (const partner_id of [...model.named.keys.deal, 'none']) {
          answers.push(await ask(store.deals.byPartnerId(tenant, String(partner_id), parts)));
        }
        for (const id of model.named.ids)
          answers.push(await ask(store.deals.byId(tenant, id, parts)));
        for (const token of [...model.named.tokens, 'none']) {
          answers.push(await ask(store.deals.byPaymentToken(tenant, token, parts)));
        }
        for (const kind of timedKinds) {
          for (const [each, under] of duesOf(model, tenant, kind)) {
            for (const limit of [1, 100]) {
              answers.push(await ask(store.due(tenant, each, endOfTime, limit, under)));
            }
          }
        }
        for (const kind of listedKinds) {
          for (const key of [...model.named.keys[kind], 'none']) {
            answers.push(await ask(recordByKey(store, tenant, kind, String(key))));
          }
          for (const direction of ['ascending', 'descending'] as const) {
            const range = { direction, limit: 100 };
            answers.push(await ask(store.records.list(tenant, kind, range)));
            for (const under of ['deal one', 'one']) {
              answers.push(await ask(store.records.list(tenant, kind, { ...range, under })));
            }
          }
        }
        for (const subject of new Set(model.events(tenant).map((event) => event.subject))) {
          answers.push(await ask(store.events.of(tenant, subject, 0, 100)));
        }
        const files = [...model.named.keys.work_file, 'none'].map(String);
        answers.push([...(await ask(store.workFiles.recorded(tenant, files)))].sort());
        answers.push(...(await lists(store, tenant)), ...(await pages(store, tenant)));
      }
      const all = await ask(store.tenants(undefined, 100));
      return [...answers, all.map((each) => JSON.stringify(each)).sort()];
    },
  };
}

async function lists(store: StoreSubject, tenant: Tenant): Promise<unknown[]> {
  const filters = [
    {},
    { status: 'accepted' },
    { freelancer_status: 'new' },
    { email_key: 'Text' },
    { created_from: '2026-01-01T00:00:00.000Z' },
  ] as const;
  const answers: unknown[] = [];
  for (const filter of filters) {
    for (const direction of ['older', 'newer'] as const) {
      const range: DealRange = { direction, from: undefined, limit: 3 };
      answers.push(await ask(store.deals.list(tenant, filter, range)));
    }
  }
  return answers;
}

/** All events of a tenant, and the ones after each. */
async function pages(store: StoreSubject, tenant: Tenant): Promise<unknown[]> {
  const all = await allEvents(store, tenant);
  const answers: unknown[] = [all];
  for (let count = 1; count <= all.length; count += 1) {
    const { cursor } = await eventPage(store, tenant, undefined, count);
    answers.push((await eventPage(store, tenant, cursor, 2)).events);
  }
  return answers;
}
