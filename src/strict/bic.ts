import * as v from 'valibot';
import { countryCodes } from '../domain/values/codes.js';
import { rule } from '../domain/values/rule.js';

/**
 * The form of ISO 9362:2014 and later, which ISO 20022 writes as `BICFIDec2014Identifier`. ibantools
 * differs on two points: it takes lower case, and it refuses a digit among the first four
 * characters, which the standard has allowed since 2014.
 */
const form = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/**
 * A BIC: 8 or 11 characters, with a country of ISO 3166-1 (or XK) in its middle.
 *
 * @internal
 */
export function bic() {
  return v.pipe(
    v.string(),
    rule('bic_wrong_length', (value: string) => value.length === 8 || value.length === 11, {}),
    rule(
      'bic_wrong_format',
      (value: string) => form.test(value) && countryCodes.has(value.slice(4, 6)),
      {},
    ),
  );
}
