import * as fc from 'fast-check';
import { type RecordKind, shapeOf } from '../../src/domain/records/records.js';
import type { Environment, Tenant } from '../../src/domain/values/tenant.js';
import type { WriteSet } from '../../src/ports/write-set.js';
import { recordKinds, type Values } from './rows.js';
import { nextId, type StoreSubject } from './subject.js';
import { numbers } from './writes.js';

/** An expectation of a plan, besides those that its write needs. */
export interface Asked {
  readonly form: 'absent' | 'present' | 'fewer';
  readonly kind: RecordKind;
  readonly name: number;
  /** Which conditions an expectation has, and with which values. */
  readonly where: number;
  /** The number added to the stored version, or to the count of records. */
  readonly off: number;
}

/** A change of a plan. */
export interface Changed extends Asked {
  readonly form: 'present';
  /** Which fields are set, and to which values. */
  readonly set: number;
}

/** A step before it gets its universe: plain data, so that a counterexample can be read. */
export interface Plan {
  readonly does: 'write' | 'again' | 'read' | 'list';
  /** Whether it names records that may not exist, even if it could name one that does. */
  readonly isStray: boolean;
  readonly who: number;
  /** The kind of the inserted record, if any. */
  readonly kind: RecordKind | undefined;
  readonly name: number;
  readonly parent: number;
  readonly key: number | undefined;
  /** How many records come with it. */
  readonly more: number;
  readonly value: number;
  readonly asks: readonly Asked[];
  readonly changes: readonly Changed[];
  readonly events: number;
}

const all = { noNullPrototype: true } as const;
const off = () => fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, -1);
const asked = {
  kind: fc.constantFrom(...recordKinds),
  name: fc.nat(4),
  where: fc.nat(15),
  off: off(),
};

const changing = recordKinds.filter((kind) => shapeOf(kind).changes.length > 0);

/** Any plan; changes are of kinds that can be changed. */
export function anyPlan(): fc.Arbitrary<Plan> {
  const form = fc.constantFrom<Asked['form']>('absent', 'present', 'present', 'fewer');
  const changed = {
    ...asked,
    kind: fc.constantFrom(...changing),
    form: fc.constant('present' as const),
    set: fc.nat(15),
  };
  return fc.record(
    {
      does: fc.constantFrom<Plan['does']>(
        'write',
        'write',
        'write',
        'write',
        'again',
        'read',
        'list',
      ),
      isStray: fc.constantFrom(false, false, false, false, true),
      who: fc.constantFrom(0, 0, 0, 1, 2),
      kind: fc.constantFrom<Plan['kind']>(...recordKinds, 'deal', 'deal', 'work_file', undefined),
      name: fc.nat(4),
      parent: fc.nat(4),
      key: fc.option(fc.nat(2), { nil: undefined, freq: 2 }),
      more: fc.nat(3),
      value: fc.nat(10),
      asks: fc.array(fc.record({ ...asked, form }, all), { maxLength: 2 }),
      changes: fc.array(fc.record(changed, all), { maxLength: 2 }),
      events: fc.integer({ min: 1, max: 3 }),
    },
    all,
  );
}

/** A plan that collides with others, with defaults for the other members. */
export function planOf(given: Partial<Plan>): Plan {
  return {
    ...{
      does: 'write',
      isStray: false,
      who: 0,
      kind: undefined,
      name: 0,
      parent: 0,
      key: undefined,
      more: 0,
    },
    ...{ value: 0, asks: [], changes: [], events: 1, ...given },
  };
}

/** Few names, so that steps collide. A run has its own names: stores may be slow to make. */
export interface Universe {
  readonly tenants: readonly Tenant[];
  readonly values: Values;
  /** The names that records of a kind have in their own environment or tenant. */
  names(kind: RecordKind): readonly string[];
  /** An integer that no other record has. */
  next(tenant: Tenant): number;
  /** All writes so far. */
  readonly sent: { readonly tenant: Tenant; readonly write: WriteSet }[];
}

/** The universe of a run, with a number of integers of each environment. */
export async function universe(
  store: StoreSubject,
  run: number,
  values: Values,
  count: number,
): Promise<Universe> {
  const tenants: readonly Tenant[] = [
    { environment: 'sandbox', partner: `acme-${run}` },
    { environment: 'sandbox', partner: `globex-${run}` },
    { environment: 'production', partner: `acme-${run}` },
  ];
  const [own, , live] = tenants as [Tenant, Tenant, Tenant];
  const free: Record<Environment, number[]> = {
    sandbox: [...(await numbers(store, own, count))],
    production: [...(await numbers(store, live, count))],
  };
  const names = ['one', 'One', ' one', 'two 😀', '%'].map((name) => `${name}-${run}`);
  const ids = names.map(() => nextId());
  return {
    tenants,
    values,
    // parts of a deal come in the order of their keys, which are mostly ULIDs
    names: (kind) => (shapeOf(kind).under === undefined ? names : ids),
    next: ({ environment }) => free[environment].pop() ?? 0,
    sent: [],
  };
}
