import { createMemoryStore } from 'dealwright/memory';

/** The memory store of the package, which starts over with no deals when it holds `limit`. */
export function createKeepingStore(limit, tenant, contractor) {
  let store = createFilled();
  let kept = 0;

  function createFilled() {
    const filled = createMemoryStore();
    filled.contractors.add(tenant, {
      key: { register: '', email_key: contractor.email },
      contractor,
      events: [],
      idempotency: undefined,
    });
    return filled;
  }

  // only what a create calls is passed on to whichever store is in use
  return {
    ...store,
    deals: {
      ...store.deals,
      add(tenant, addition) {
        const answer = store.deals.add(tenant, addition);
        kept += 1;
        if (kept === limit) {
          kept = 0;
          store = createFilled();
        }
        return answer;
      },
    },
  };
}
