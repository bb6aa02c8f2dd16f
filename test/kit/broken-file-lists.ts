import { ok } from 'neverthrow';
import { type BrokenFileStore, createGoodFileStore, mergeTenants } from './good-file-store.js';

/** File stores with a mistake in deleting, listing or keeping contents apart. */
export const brokenFileLists: Readonly<Record<string, BrokenFileStore>> = {
  'says of everything that it deleted it': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async delete(tenant, id) {
          await store.delete(tenant, id);
          return ok('deleted');
        },
      };
    },
    foundBy: '8/files/unknown-id',
  },
  'deletes all that a partner has': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async delete(tenant, id) {
          const gone = await store.delete(tenant, id);
          const rest = await store.list(tenant, undefined);
          for (const each of rest.isOk() ? rest.value : []) await store.delete(tenant, each);
          return gone;
        },
      };
    },
    foundBy: '8/files/deleted',
  },
  'lists the id that it is to list after': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        async list(tenant, after) {
          const all: readonly string[] = (await store.list(tenant, undefined)).unwrapOr([]);
          const rest = all.filter((id) => after === undefined || id > after);
          const isThere = after !== undefined && all.includes(after);
          return ok(isThere && rest.length > 0 ? [after, ...rest] : rest);
        },
      };
    },
    foundBy: '8/files/list',
  },
  'lists in the order of arrival': {
    make: () => {
      const store = createGoodFileStore();
      const order: string[] = [];
      return {
        ...store,
        put(tenant, id, content) {
          order.push(id);
          return store.put(tenant, id, content);
        },
        async list(tenant, after) {
          const known = new Set<string>((await store.list(tenant, undefined)).unwrapOr([]));
          const ids = order.filter((id) => known.has(id));
          return ok(ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1));
        },
      };
    },
    foundBy: '8/files/list',
  },
  'lists its first page again and again': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant) => (await store.list(tenant, undefined)).map((ids) => ids.slice(0, 3)),
      };
    },
    foundBy: '8/files/list',
  },
  'has no second page': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant, after) =>
          (await store.list(tenant, after)).map((ids) => (after ? [] : ids.slice(0, 3))),
      };
    },
    foundBy: '8/files/list',
  },
  'shows a page twice': {
    make: () => {
      const store = createGoodFileStore();
      return {
        ...store,
        list: async (tenant, after) =>
          (await store.list(tenant, after)).map((ids) => [...ids, ...ids].slice(0, 20)),
      };
    },
    foundBy: '8/files/list',
  },
  'has one folder for both environments': {
    make: () => mergeTenants((tenant) => ({ ...tenant, environment: 'sandbox' })),
    foundBy: '2.1/files/tenants',
  },
  'has one folder for names that differ in case alone': {
    make: () => mergeTenants((tenant) => ({ ...tenant, partner: tenant.partner.toLowerCase() })),
    foundBy: '2.1/files/tenants',
  },
  'cuts long names of partners': {
    make: () => mergeTenants((tenant) => ({ ...tenant, partner: tenant.partner.slice(0, 64) })),
    foundBy: '2.1/files/tenants',
  },
  'takes a name of a partner for a path': {
    make: () =>
      mergeTenants(({ environment, partner }) => {
        const { pathname } = new URL(`http://files/${environment}/${partner}`);
        return { environment: 'sandbox', partner: pathname };
      }),
    foundBy: '2.1/files/tenants',
  },
};
