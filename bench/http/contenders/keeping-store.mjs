import { createMemoryStore } from 'dealwright/memory';

/**
 * The memory store of the package, which starts over with only its contractors when it has `limit`
 * deals.
 */
export function createKeepingStore(limit) {
  let store = createMemoryStore();
  let kept = 0;
  const contractors = [];

  return {
    ...store,
    commit(tenant, write) {
      const answer = store.commit(tenant, write);
      if (write.subject?.kind === 'contractor') {
        contractors.push([tenant, write]);
        return answer;
      }
      kept += 1;
      if (kept === limit) {
        kept = 0;
        store = createMemoryStore();
        for (const each of contractors) store.commit(...each);
      }
      return answer;
    },
  };
}
