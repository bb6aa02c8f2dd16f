import { createMarketplace } from 'dealwright';
import { faults, withFault } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { writeKeys } from '../kit/ended-keys.js';
import { createPorts } from '../kit/ports.js';
import { acme } from './marketplace-with.js';

describe('pruning', () => {
  it.each(['tenants', 'records.list'] as const)(
    'deletes all that has ended though %s fails, and says so',
    async (method) => {
      const ports = createPorts();
      const whole = createMarketplace(ports);
      // a tenant to look through
      (await whole.partner(acme).createDealV2(dealV2Body))._unsafeUnwrap();
      await writeKeys(ports.store, 1_250, '2026-01-01T00:00:00.000Z');
      const store = withFault(ports.store, method, faults.throws);
      const { prune } = createMarketplace({ ...ports, store });
      expect((await prune())._unsafeUnwrap()).toEqual({ deleted: 500, isMore: true });
      expect((await prune())._unsafeUnwrap()).toEqual({ deleted: 500, isMore: true });
      // the last 250 go, too
      for (let call = 0; call < 2; call += 1) {
        expect((await prune())._unsafeUnwrapErr()).toMatchObject({
          code: 'unavailable',
          port: `store.${method}`,
        });
      }
      const left = [];
      do left.push((await whole.prune())._unsafeUnwrap());
      while (left.at(-1)?.isMore);
      expect(left.map(({ deleted }) => deleted)).toEqual(left.map(() => 0));
    },
  );
});
