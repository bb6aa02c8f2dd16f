import { equal } from '../expectations.js';
import { createModel } from './model.js';
import { compare, endOfTime, parts, sessionWith } from './session.js';
import { acme, ask, type DefineCase, globex, scribble } from './subject.js';
import {
  committed,
  creation,
  move,
  newDeal,
  numbers,
  registration,
  under,
  upload,
  webhookWrite,
} from './writes.js';

/** A stored object and a returned one are never the same. */
export function copies(define: DefineCase): void {
  define('does not keep what it was given', async (store) => {
    const [id = 0, stage = 0] = await numbers(store, acme, 2);
    const model = createModel();
    const change = move('deal', 2, { status: 'accepted' });
    const deal = under('key', creation('deal', [id, stage]));
    for (const write of [registration(), deal, upload('deal', stage), change]) {
      const tenant = { ...acme };
      model.commit(acme, structuredClone(write));
      equal(await ask(store.commit(tenant, write)), committed, 'a write');
      scribble(write);
      scribble(tenant);
      await compare(store, model);
    }
  });

  define('does not hand out what it keeps', async (store) => {
    const session = sessionWith(store);
    const [id = 0, stage = 0] = await numbers(store, acme, 2);
    const named = { payment_token: 'token', due_at: newDeal.created_at ?? '' };
    const first = under('key', creation('deal', [id, stage], named));
    const file = upload('deal', stage);
    const hook = webhookWrite('hook');
    for (const write of [registration(), first, file, hook])
      await session.commit(acme, write, committed);
    const again = under('key', creation('deal', [id, stage]));
    const all = { direction: 'older', from: undefined, limit: 10 } as const;
    const readAll = async () => [
      await ask(store.commit(acme, again)),
      await ask(store.commit(acme, first)),
      await ask(store.deals.byId(acme, id, parts)),
      await ask(store.deals.byPartnerId(acme, 'deal', parts)),
      await ask(store.deals.byPaymentToken(acme, 'token', parts)),
      await ask(store.due(acme, 'deal', endOfTime, 10)),
      await ask(store.deals.list(acme, {}, all)),
      await ask(store.deals.list(acme, { status: 'created' }, all)),
      await ask(store.workFiles.recorded(acme, [file.subject?.key ?? ''])),
      await ask(store.events.after(acme, undefined, 10)),
      await ask(store.events.of(acme, 'deal:deal', 0, 10)),
      await ask(store.records.byKey(acme, 'webhook', 'hook')),
      await ask(store.records.list(acme, 'webhook', { direction: 'ascending', limit: 10 })),
      await ask(store.tenants(undefined, 10)),
      await ask(store.deals.byPartnerId(globex, 'deal', parts)),
    ];
    await store.settled?.();
    const expected = structuredClone(await readAll());
    for (const read of await readAll()) scribble(read);
    equal(await readAll(), expected, 'what is read after somebody wrote over it');
    await session.compare();
  });
}
