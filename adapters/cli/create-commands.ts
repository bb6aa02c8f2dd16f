import type { CallOptions, ContractorInput, DealInput, DealV2Input } from 'dealwright';
import type { Result } from 'neverthrow';
import type { Failure } from './describe-failure.js';
import {
  contractorFields,
  dealFields,
  dealV2Fields,
  type Fields,
  membersOf,
  strayFlags,
} from './fields.js';
import { readBody } from './read-body.js';
import type { ServiceFlags } from './service-settings.js';
import { type Session, withSession } from './session.js';
import { type Cell, formatTable } from './table.js';

/** The flags of a command that creates. */
export interface CreateFlags extends ServiceFlags {
  readonly file?: string;
  readonly idempotencyKey?: string;
  readonly apiVersion?: '1.0' | '2.0';
}

/** `dealwright contractors create` */
export function createContractor(process: NodeJS.Process, flags: CreateFlags): Promise<void> {
  return withSession(process, flags, (session) =>
    create(process, session, flags, contractorFields, async (body, call) =>
      session.api.registerContractor(body as ContractorInput, call),
    ),
  );
}

/** `dealwright deals create` */
export function createDeal(process: NodeJS.Process, flags: CreateFlags): Promise<void> {
  const { apiVersion = '2.0' } = flags;
  const [fields, others] =
    apiVersion === '1.0' ? [dealFields, dealV2Fields] : [dealV2Fields, dealFields];
  return withSession(process, flags, async (session) => {
    const stray = strayFlags(fields, others, { ...flags });
    if (stray.length > 0) {
      const other = apiVersion === '1.0' ? '2.0' : '1.0';
      return session.complain(
        `a deal of version ${apiVersion} has no ${stray.join(', ')}: give --api-version ${other}, or leave it out`,
      );
    }
    return create(process, session, flags, fields, async (body, call) =>
      apiVersion === '1.0'
        ? session.api.createDeal(body as DealInput, call)
        : session.api.createDealV2(body as DealV2Input, call),
    );
  });
}

async function create(
  process: NodeJS.Process,
  session: Session,
  flags: CreateFlags,
  fields: Fields,
  send: (body: unknown, call: CallOptions & Session['call']) => Promise<Result<object, Failure>>,
): Promise<number> {
  const { file, idempotencyKey } = flags;
  const members = membersOf(fields, { ...flags });
  if (members.isErr()) return session.complain(members.error);
  let body = members.value;
  if (file !== undefined) {
    const read = await readBody(file, process.stdin);
    if (read.isErr()) return session.complain(read.error);
    body = { ...read.value, ...body };
  } else if (Object.keys(body).length === 0) {
    return session.complain(
      'nothing is given: use the flags of the fields, or --file (- is stdin)',
    );
  }
  const result = await send(body, {
    ...session.call,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  if (result.isErr()) return session.fail(result.error);
  await session.show(result.value, () => recordTable(result.value, session.width));
  return 0;
}

/** The members of a record below each other. */
export function recordTable(record: object, width: number | undefined): string {
  const rows: Cell[][] = Object.entries(record).map(([name, value]) => [name, cellOf(value)]);
  return formatTable(rows, { flexible: 1, wrap: true, width });
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
