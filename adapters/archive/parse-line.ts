import type { StoreRecord } from 'dealwright/ports';
import * as v from 'valibot';
import { problemAt } from './problem.js';
import type { ArchiveLine } from './read-lines.js';
import { recordSchemas } from './record-schema.js';

/** The object that a line holds. */
export function objectOf({ number, text }: ArchiveLine): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problemAt(number, 'is no JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw problemAt(number, 'is no JSON object');
}

/** What a schema makes of a line, or what is wrong with which of its members. */
export function parsed<const S extends v.GenericSchema>(
  schema: S,
  value: object,
  number: number,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ path = [], expected, message }] = result.issues;
  // the name of a member that nobody knows is as much a value as any
  const names = (expected === 'never' ? path.slice(0, -1) : path).map(({ key }) => String(key));
  throw problemAt(number, `is wrong: ${names.length === 0 ? 'it' : names.join('.')} ${message}`);
}

const kinds = Object.keys(recordSchemas) as readonly StoreRecord['record'][];

/** The record that a line holds. */
export function recordOf(value: object, number: number): StoreRecord {
  const kind = kinds.find((each) => each === Reflect.get(value, 'record'));
  if (kind === undefined) throw problemAt(number, 'is wrong: record is none of its values');
  // optional members of a schema that are absent are there as undefined in a record
  const schema: v.GenericSchema<unknown, object> = recordSchemas[kind];
  const record = parsed(schema, value, number);
  return (
    kind === 'event' ? record : { ...record, idempotency: Reflect.get(record, 'idempotency') }
  ) as StoreRecord;
}
