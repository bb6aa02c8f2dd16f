import { type BodyKind, fieldsOf, membersOf, strayFlags } from './fields.js';
import { readBody } from './input.js';
import type { Session } from './session.js';
import { formatRecord } from './table.js';

export async function createDeal(session: Session): Promise<number> {
  const { apiVersion = '2.0' } = session.flags;
  const [kind, otherKind, otherVersion] =
    apiVersion === '1.0'
      ? (['deal', 'deal_v2', '2.0'] as const)
      : (['deal_v2', 'deal', '1.0'] as const);
  const stray = strayFlags(fieldsOf[kind], fieldsOf[otherKind], session.flags);
  if (stray.length > 0) {
    return session.complain(
      `a deal of version ${apiVersion} has no ${stray.join(', ')}: give --api-version ${otherVersion}, or leave it out`,
    );
  }
  return create(session, kind);
}

/** Creates a record from a file and flags. */
export async function create(session: Session, kind: BodyKind): Promise<number> {
  const { process, flags, width } = session;
  const { file } = flags;
  const members = membersOf(fieldsOf[kind], flags);
  if (members.isErr()) return session.complain(members.error);
  let body = members.value;
  if (file !== undefined) {
    const read = await readBody(process, file);
    if (read.isErr()) return session.complain(read.error);
    body = { ...read.value, ...body };
  } else if (Object.keys(body).length === 0) {
    return session.complain(
      'nothing is given: use the flags of the fields, or --file (- is stdin)',
    );
  }
  const result = await session.create(kind, body, session.call);
  return session.answer(result, (record) => formatRecord(record, width));
}
