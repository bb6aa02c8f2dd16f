import type { Exchange } from './transport.js';

/** Counts what was made and is still there. */
export function createLedger() {
  const made = new Map<string, Set<string>>();
  const kinds = { contractor: 'contractors', deal: 'deals', file: 'files', webhook: 'webhooks' };
  return {
    add(exchanges: readonly Exchange[]) {
      for (const { method, url, status, answer } of exchanges) {
        const segments = new URL(url).pathname.split('/').filter((each) => each !== '');
        const kind = kinds[segments.at(-1) as keyof typeof kinds];
        if (method === 'POST' && status === 201 && kind !== undefined) {
          const all = made.get(kind) ?? new Set();
          // a repeat of a create has the same answer
          made.set(kind, all.add(new TextDecoder().decode(answer)));
        }
        const isDeleted = method === 'DELETE' && status !== undefined && status < 300;
        const webhooks = made.get('webhooks');
        const [gone] = [...(webhooks ?? [])].filter((each) => each.includes(segments.at(-1) ?? ''));
        if (isDeleted && gone !== undefined) webhooks?.delete(gone);
      }
    },
    counts: () => Object.fromEntries([...made].map(([kind, all]) => [kind, all.size])),
  };
}
