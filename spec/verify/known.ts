import { type Promised, usualPromises } from '../wire/promised.js';

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const areTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isText);
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);

/** What each promise is. */
const forms: Readonly<Record<keyof Promised, (value: unknown) => boolean>> = {
  mode: isOneOf('invoice', 'prepaid'),
  profile: isText,
  contractor_scope: isOneOf('environment', 'partner'),
  copyright_transfer: areTexts,
  freelancer_language: areTexts,
  currencies: areTexts,
  max_file_size: isCount,
  max_body_size: isCount,
  max_description: isCount,
  takes_fees: isBoolean,
  splits_deals: isBoolean,
  expires_v1_deals: isBoolean,
  default_work_days: isCount,
  proposal_days: isCount,
  expiry_notice_days: isCount,
  review_notice_days: isCount,
  key_days: isCount,
  accepts_bearer: isBoolean,
  allows_any_origin: isBoolean,
};

/** The first of these that is no promise, or is not what such a promise is. */
export function wrongPromise(given: object): string | undefined {
  return Object.entries(given).find(([name, value]) => {
    const form = Object.hasOwn(forms, name) ? forms[name as keyof Promised] : undefined;
    return form?.(value) !== true;
  })?.[0];
}

/** The promises that a server tells, and those that the caller knows better; the rest as usual. */
export function promisedBy(told: unknown, known: Partial<Promised> = {}): Promised {
  // a law says what is wrong with the others
  const good = Object.entries(Object(told)).filter(
    ([name, value]) => Object.hasOwn(forms, name) && forms[name as keyof Promised](value),
  );
  return { ...usualPromises, ...Object.fromEntries(good), ...known };
}
