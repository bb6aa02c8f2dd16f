import { emailKey } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractorKey } from '../../src/domain/deals/contractor.js';
import { emailAddress } from './email-values.js';

const isAscii = /^[\x20-\x7e]+$/;

describe('emailKey', () => {
  it('is the address with its ASCII letters in lower case, and nothing else changed', () => {
    fc.assert(
      fc.property(emailAddress, (address) => {
        const key = emailKey(address);
        expect(address).toMatch(isAscii);
        expect(key).toBe(
          [...address]
            .map((each) =>
              each >= 'A' && each <= 'Z' ? String.fromCharCode(each.charCodeAt(0) + 32) : each,
            )
            .join(''),
        );
        expect(emailKey(key)).toBe(key);
        expect(emailKey(address.toUpperCase())).toBe(key);
      }),
    );
  });
});

describe('contractorKey', () => {
  const tenant = { environment: 'sandbox', partner: 'acme' } as const;

  it('is one for all partners of an environment, or one a partner', () => {
    expect(contractorKey(tenant, 'environment', 'A@B.c')).toBe('a@b.c');
    expect(contractorKey(tenant, 'partner', 'A@B.c')).toBe('a@b.c acme');
  });
});
