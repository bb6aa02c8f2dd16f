import { createMemoryStore } from 'dealwright/memory';
import type { Store, Tenant } from 'dealwright/ports';
import { afterEach, expect, it } from 'vitest';
import { creation } from '../../../spec/store/writes.js';
import { createTestStore, type TestStore } from '../sqlite/database.js';

let opened: TestStore | undefined;
afterEach(() => {
  opened?.close();
  opened = undefined;
});

const stores: readonly (readonly [string, () => Store])[] = [
  ['memory', createMemoryStore],
  [
    'SQLite',
    () => {
      opened = createTestStore();
      return opened;
    },
  ],
];

it.each(stores)(
  '%s names exactly those with something due, whether there is little or much',
  async (_, open) => {
    const store = open();
    const partners = Array.from({ length: 30 }, (__, index) => `partner-${index}`);
    let id = 0;
    const create = async (partner: string, due_at: string | null) => {
      id += 1;
      const tenant: Tenant = { environment: 'production', partner };
      (await store.commit(tenant, creation(`deal-${id}`, [id], { due_at })))._unsafeUnwrap();
    };
    const time = (index: number) => `2026-01-01T00:00:${String(index).padStart(2, '0')}.000Z`;
    for (const [index, partner] of partners.entries()) {
      await create(partner, time(index));
      await create(`${partner} idle`, null);
    }
    const found = async (before: string) => {
      const names: string[] = [];
      let after: Tenant | undefined;
      for (;;) {
        const page: Awaited<ReturnType<Store['tenants']>> = await store.tenants(after, 7, before);
        const tenants = page._unsafeUnwrap().map(({ tenant }) => tenant);
        names.push(...tenants.map(({ partner }) => partner));
        after = tenants.at(-1);
        if (tenants.length < 7) return names.sort();
      }
    };
    const check = async () => {
      for (const [index] of partners.entries()) {
        expect(await found(time(index))).toEqual(partners.slice(0, index + 1).sort());
      }
    };
    await check();
    // so many of one partner that a database reads each tenant
    for (let more = 0; more < 1_100; more += 1) await create('partner-0', time(0));
    await check();
  },
);
