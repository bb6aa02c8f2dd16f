import {
  type DealStatus,
  type FreelancerStatus,
  formatMoney,
  isIdempotencyKey,
  isTenant,
  type Money,
  parseMoney,
  type StageStatus,
  type Tenant,
} from 'dealwright';
import { formatTimestamp, parseTimestamp } from 'dealwright/ports';
import * as v from 'valibot';

/**
 * What stands in an archive was judged when it was stored, by the rules of its time: it is asked only
 * for what every store relies on. The message of a rule ends the sentence that its member begins.
 */
const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');

/** Text that any store keeps, perhaps empty. */
export const anyText = v.pipe(
  v.string('is no text'),
  v.check(isStorable, 'holds U+0000 or half a character'),
);

/** Text of one character at least. */
export const text = v.pipe(
  anyText,
  v.check((value) => value !== '', 'is empty'),
);

/** An integer that JSON keeps exactly. */
export const integer = v.pipe(
  v.number('is no number'),
  v.check((value) => Number.isSafeInteger(value), 'is no integer within +-(2^53-1)'),
  // -0 has no JSON form of its own
  v.transform((value) => value + 0),
);

/** An integer from this on. */
export function integerFrom(min: number) {
  return v.pipe(
    integer,
    v.check((value) => value >= min, `is less than ${min}`),
  );
}

/** An amount in its one canonical form. */
export const money = v.pipe(
  v.string('is no text'),
  v.check((value) => isCanonical(value), 'is no decimal with two digits behind the point'),
  v.transform((value) => parseMoney(value) as Money),
);

function isCanonical(value: string): boolean {
  const amount = parseMoney(value);
  return amount !== undefined && formatMoney(amount) === value;
}

/** A moment in its one canonical form. */
export const timestamp = v.pipe(
  v.string('is no text'),
  v.check((value) => {
    const time = parseTimestamp(value);
    return time !== undefined && formatTimestamp(time) === value;
  }, 'is no RFC 3339 time in UTC with milliseconds'),
);

/** The SHA-256 of a content. */
export const sha256 = v.pipe(
  v.string('is no text'),
  v.check((value) => /^[0-9a-f]{64}$/.test(value), 'is no SHA-256'),
);

/** One of the names of an object, so that the compiler keeps them complete. */
export function oneOf<T extends string>(names: Readonly<Record<T, true>>) {
  return v.custom<T>(
    (value) => typeof value === 'string' && Object.hasOwn(names, value),
    'is none of its values',
  );
}

export const dealStatus = oneOf<DealStatus>({
  created: true,
  accepted: true,
  delivered: true,
  changes_requested: true,
  approved: true,
  completed: true,
  disputed: true,
  cancelled: true,
  expired: true,
});

export const freelancerStatus = oneOf<FreelancerStatus>({
  new: true,
  invited: true,
  accepted: true,
  declined: true,
  expired: true,
  removed: true,
  finished: true,
});

export const stageStatus = oneOf<StageStatus>({
  pending: true,
  submitted: true,
  changes_requested: true,
  approved: true,
  paid: true,
  cancelled: true,
});

/** An object with these members and no others. */
export function members<const E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'holds a member that is not known'
      : issue.input === undefined
        ? 'is missing'
        : 'is no object',
  );
}

/** A list of these. */
export function listOf<const S extends v.GenericSchema>(item: S) {
  return v.array(item, 'is no list');
}

/** A tenant. */
export const tenant = v.pipe(
  v.custom<Tenant>(isTenant, 'is no tenant'),
  v.check((value) => Object.keys(value).length === 2, 'holds a member that is not known'),
);

/** An idempotency key. */
export const idempotencyKey = v.custom<string>(isIdempotencyKey, 'is no idempotency key');
