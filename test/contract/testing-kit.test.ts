import { defaultValueSets, interfaceProfile, isTenant } from 'dealwright';
import {
  brokenInput,
  contractorFields,
  contractorInput,
  dealFields,
  dealInput,
  dealV2Fields,
  dealV2Input,
  deliveryContract,
  idempotencyKey,
  malformedIdempotencyKey,
  partnerApiContract,
  storeContract,
  tenant,
} from 'dealwright/spec';
import { createManualClock, delayed } from 'dealwright/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const rules = interfaceProfile(defaultValueSets);
const runs = { numRuns: 300 };
const isKey = (key: string) => /^[\x21-\x7e]{1,255}$/.test(key);

describe('a contract', () => {
  it.each([
    ['storeContract', storeContract],
    ['deliveryContract', deliveryContract],
    ['partnerApiContract', partnerApiContract],
  ] as const)('%s refuses what is no runner, under which no case would run', (name, contract) => {
    for (const runner of [{}, { describe }, { it }, undefined]) {
      expect(() => contract(runner as never, (() => undefined) as never)).toThrow(
        new TypeError(`${name}: the runner is { describe, it } of a test runner`),
      );
    }
  });
});

describe('arbitraries', () => {
  it('make what the rules take', () => {
    fc.assert(
      fc.property(contractorInput(), dealInput(), dealV2Input(), (contractor, deal, dealV2) => {
        expect(rules.parseContractor(contractor).isOk()).toBe(true);
        expect(rules.parseDeal(deal).isOk()).toBe(true);
        expect(rules.parseDealV2(dealV2).isOk()).toBe(true);
      }),
      runs,
    );
  });

  it('make what the rules only just refuse, and know why', () => {
    const broken = fc.oneof(
      brokenInput(contractorFields()).map((each) => ({ ...each, parse: rules.parseContractor })),
      brokenInput(dealFields()).map((each) => ({ ...each, parse: rules.parseDeal })),
      brokenInput(dealV2Fields()).map((each) => ({ ...each, parse: rules.parseDealV2 })),
    );
    fc.assert(
      fc.property(broken, ({ input, issues, parse }) => {
        const findings = parse(input)._unsafeUnwrapErr();
        expect(findings.map(({ path, code }) => ({ path, code }))).toEqual(issues);
      }),
      runs,
    );
  });

  it('make tenants, keys, and what is no key', () => {
    fc.assert(
      fc.property(tenant(), idempotencyKey(), malformedIdempotencyKey(), (whom, key, none) => {
        expect(isTenant(whom)).toBe(true);
        expect(isKey(key)).toBe(true);
        expect(isKey(none)).toBe(false);
      }),
    );
  });
});

describe('the manual clock', () => {
  it('wakes sleepers in the order of their times, at their times', () => {
    const timer = createManualClock(1000);
    const woken: [string, number][] = [];
    const sleep = (name: string, milliseconds: number) =>
      timer.sleep(milliseconds, () => woken.push([name, timer.now()]));
    sleep('late', 30);
    sleep('early', 10);
    timer.sleep(20, () => {
      woken.push(['middle', timer.now()]);
      sleep('nested', 5);
    });
    const cancel = sleep('never', 15);
    expect(timer.sleepers()).toBe(4);
    cancel();
    timer.advance(9);
    expect(woken).toEqual([]);
    timer.advance(21);
    expect(woken).toEqual([
      ['early', 1010],
      ['middle', 1020],
      ['nested', 1025],
      ['late', 1030],
    ]);
    expect([timer.now(), timer.sleepers()]).toEqual([1030, 0]);
  });
});

describe('delayed', () => {
  it('acts and answers later, and lets others go first', async () => {
    const acted: string[] = [];
    const port = (turns: number) =>
      delayed({ act: async (name: string) => void acted.push(name) }, () => turns);
    const slow = port(20).act('slow');
    const quick = port(1).act('quick');
    expect(acted).toEqual([]);
    await Promise.all([slow, quick]);
    expect(acted).toEqual(['quick', 'slow']);
  });
});
