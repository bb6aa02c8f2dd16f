import * as fc from 'fast-check';
import type { Tenant } from '../src/domain/values/tenant.js';
import { textField } from './arbitraries-values.js';

/**
 * Tenants: a few partners, so that some are drawn twice, in both environments.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { tenant } from 'dealwright/spec';
 *
 * const [someone] = fc.sample(tenant(), 1);
 * ```
 */
export function tenant(): fc.Arbitrary<Tenant> {
  return fc.record(
    {
      environment: fc.constantFrom('production', 'sandbox'),
      partner: fc.oneof(fc.constantFrom('acme', 'globex'), textField(1, 64).valid),
    },
    { noNullPrototype: true },
  );
}

/**
 * Idempotency keys: 1 to 255 visible ASCII characters (decision 2.7).
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { idempotencyKey } from 'dealwright/spec';
 *
 * const [key] = fc.sample(idempotencyKey(), 1);
 * ```
 */
export function idempotencyKey(): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  return fc.oneof(
    fc.string({ unit, minLength: 1, maxLength: 40 }),
    fc.string({ unit, minLength: 255, maxLength: 255, size: 'max' }),
  );
}

/**
 * Almost an idempotency key: empty, 256 characters, a space, a letter beyond ASCII.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { malformedIdempotencyKey } from 'dealwright/spec';
 *
 * const [key] = fc.sample(malformedIdempotencyKey(), 1);
 * ```
 */
export function malformedIdempotencyKey(): fc.Arbitrary<string> {
  return fc.constantFrom('', 'k'.repeat(256), 'a key', ' key', 'key\n', 'ké', '\u007f', '\0', '😀');
}
