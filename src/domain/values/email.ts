import * as v from 'valibot';
import { hasAtMost, rules } from './rule.js';

/** The form of the WHATWG HTML standard ("valid e-mail address"). */
const form =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** RFC 5321, section 4.5.3.1.1 */
const maxLocalPart = 64;
/** RFC 5321, section 4.5.3.1.3: a path of 256 octets less its two brackets */
const maxAddress = 254;

/**
 * An e-mail address: the WHATWG form with the lengths of RFC 5321 (decision 1.3). The form is
 * ASCII, so that it refuses lone surrogates and U+0000 by itself.
 *
 * @internal
 */
export function email() {
  return v.pipe(
    v.string(),
    rules(
      {
        too_short: { min: 1 },
        too_long: { max: maxAddress },
        invalid_email: {},
        email_local_part_too_long: { max: maxLocalPart },
      },
      (value: string) => {
        if (value === '') return 'too_short';
        if (!hasAtMost(value, maxAddress)) return 'too_long';
        if (!form.test(value)) return 'invalid_email';
        return value.indexOf('@') <= maxLocalPart ? undefined : 'email_local_part_too_long';
      },
    ),
  );
}

/**
 * The key of the person behind an address: two addresses are the same person's when they are equal
 * after ASCII lower-casing (decision 1.3). A valid address is ASCII, so no locale matters.
 *
 * @example
 * ```ts
 * import { emailKey } from 'dealwright';
 *
 * emailKey('User@Example.com'); // 'user@example.com'
 * ```
 */
export function emailKey(address: string): string {
  return address.toLowerCase();
}
