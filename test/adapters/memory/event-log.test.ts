import { createMemoryStore } from 'dealwright/memory';
import { describe, expect, it } from 'vitest';
import { tenant } from '../../kit/requests.js';

describe('the event log of a memory store', () => {
  it.each(['-1', '1.5', 'x', 'Infinity', '9007199254740992', '', ' 0 ', '0x0', '1e0', '00', '1'])(
    'has no place for the cursor %s, which it did not give',
    async (cursor) => {
      const result = await createMemoryStore().events.after(tenant, cursor, 10);
      expect(result._unsafeUnwrap()).toBe('invalid_cursor');
    },
  );
});
