import { createMemoryStore } from 'dealwright/memory';
import { deliveryContract, storeContract } from 'dealwright/spec';
import { delayed } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { bounded } from '../../kit/bounded-store.js';

const close = async () => undefined;

describe('memory store, with room for what the guide names and no more', () => {
  const makeStore = () => ({ ...bounded(createMemoryStore()), close });
  storeContract({ describe, it }, makeStore);
  deliveryContract({ describe, it }, makeStore);
});

describe('memory store that answers later, out of order', () => {
  const makeStore = () => {
    const store = createMemoryStore();
    let call = 0;
    const turns = () => {
      call = (call * 7 + 3) % 11;
      return call;
    };
    return {
      ...delayed(store, turns),
      deals: delayed(store.deals, turns),
      workFiles: delayed(store.workFiles, turns),
      events: delayed(store.events, turns),
      close,
    };
  };
  storeContract({ describe, it }, makeStore);
  deliveryContract({ describe, it }, makeStore);
});

it('makes a write whole whose subject it does not hold: the port says that there is one', async () => {
  const store = createMemoryStore();
  const tenant = { environment: 'sandbox', partner: 'acme' } as const;
  const attempt = '01KDVE0000000000000000000A';
  const row = { answer_key: 'deal k', fingerprint: 'f', answer: '{}', ends_at: null };
  const told = { actor: 'partner', cause: null, data: {} } as const;
  const event = { id: attempt, type: 't', subject: 'deal:none', at: 'now', ...told };
  const write = {
    attempt,
    expect: [{ absent: 'answer', key: row.answer_key }],
    insert: [{ kind: 'answer', row }],
    change: [],
    subject: { kind: 'deal', key: 'none' },
    events: [event],
  } as const;
  expect((await store.commit(tenant, write))._unsafeUnwrap()).toEqual({ outcome: 'committed' });
  const kinds: string[] = [];
  for await (const { kind } of store.archive.dump()) kinds.push(kind);
  expect(kinds).toEqual(['answer', 'event']);
});
