import type { Store } from 'dealwright/ports';
import { ulid } from 'ulid';

const tenant = { environment: 'sandbox', partner: 'acme' } as const;

/** Writes so many keys of commands that end at this time. */
export async function writeKeys(store: Store, count: number, ends_at: string): Promise<void> {
  const size = 250;
  for (let first = 0; first < count; first += size) {
    const attempt = ulid();
    const rows = Array.from({ length: Math.min(size, count - first) }, (_, at) => ({
      answer_key: `command partner ${attempt} ${at}`,
      fingerprint: 'f',
      answer: '{}',
      ends_at,
    }));
    const committed = await store.commit(tenant, {
      attempt,
      expect: rows.map(({ answer_key: key }) => ({ absent: 'answer', key })),
      insert: rows.map((row) => ({ kind: 'answer', row })),
      change: [],
      events: [],
    });
    committed._unsafeUnwrap();
  }
}

/** The condition that counts the keys that are left in a SQL database. */
export const countKeysSql = "where answer_key like 'command partner %'";
