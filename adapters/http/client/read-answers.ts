import { type AnyShape, alternatives, integerKinds, isList, openKinds } from '../wire/shape.js';

/**
 * The value of an answer of this shape, or `undefined` if it has another. Members that the
 * interface does not know are dropped. Statuses and types of events are any text: values of a later
 * version are passed on, so that one deal in an unknown state does not hide a whole list.
 */
export function readAs(shape: AnyShape, value: unknown): unknown {
  if (openKinds.some((kind) => kind === shape)) return asMembers(value);
  if (typeof shape === 'string') {
    const isInteger = integerKinds.some((kind) => kind === shape);
    const type = shape === 'boolean' ? shape : 'string';
    const isFit = isInteger ? Number.isSafeInteger(value) : typeof value === type;
    return isFit ? value : undefined;
  }
  if (isList(shape)) {
    const items = Array.isArray(value) ? value.map((each) => readAs(shape[0], each)) : [undefined];
    return items.includes(undefined) ? undefined : items;
  }
  const members = asMembers(value);
  const found: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(shape)) {
    const [kind, orElse] = alternatives(each);
    const given = members?.[name] ?? undefined;
    if (given === undefined && orElse !== undefined) {
      if (orElse === 'null') found[name] = null;
      continue;
    }
    found[name] = readAs(kind, given);
    if (found[name] === undefined) return undefined;
  }
  return members && found;
}

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a value, or `undefined` if it is not an object. */
export function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
