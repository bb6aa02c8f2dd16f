import type { DealPart } from '../../src/domain/records/records.js';
import type { DealWith } from '../../src/ports/store.js';
import { check, equal } from '../expectations.js';
import { createModel } from './model.js';
import { compare, endOfTime, parts, sessionWith } from './session.js';
import { acme, ask, globex, group, scribble } from './subject.js';
import {
  changeOf,
  committed,
  createDeal,
  creation,
  move,
  newDeal,
  numbers,
  present,
  provided,
  registration,
  under,
  upload,
  webhookWrite,
} from './writes.js';

/** A stored object and a returned one are never the same. */
export const copies = group(
  'copies',
  {
    must: {
      '1.2/store/input-is-copied':
        'A stored record does not change with the object that it was made from.',
      '1.2/store/output-is-copied':
        'Neither a stored record nor a later answer changes with an object that a read has returned.',
    },
  },
  (define) => {
    define('1.2/store/input-is-copied', async (store) => {
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

    define('1.2/store/output-is-copied', async (store) => {
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
  },
);

/** Writes while the deal is read: more than enough to come between two statements of a read. */
const writes = 100;

const written = ['stage', 'work_file'] as const satisfies readonly DealPart[];
type Read = DealWith<(typeof written)[number]> | undefined;

/** A read returns the state of one moment, even from several tables. */
export const tornReads = group(
  'reads while others write',
  {
    must: {
      '4/store/one-moment': 'A deal and its parts are read as of one moment, while others write.',
    },
  },
  (define) => {
    define('4/store/one-moment', async (store) => {
      const payment_token = 'the token of the deal';
      const [id = 0, ...stages] = await createDeal(store, acme, 'deal', 2, { payment_token });
      const [first = 0] = stages;
      let isWriting = true;
      const write = async () => {
        for (let version = 2; version < 2 + writes; version += 1) {
          const set = { submitted_at: timeOf(version) };
          const file = provided(upload('deal', first), ...stages.map((at) => present('stage', at)));
          const change = stages.map((at) => changeOf('stage', at, set));
          equal(await ask(store.commit(acme, { ...file, change })), committed, 'a write');
        }
      };
      const read = async (way: () => Promise<Read>) => {
        for (let [isLast, made] = [false, 1]; !isLast; made += 1) {
          isLast = !isWriting;
          // with a store that answers reads at once, writes would never have their turn
          if (made % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
          const found = await way();
          check(found !== undefined, 'the deal is there');
          // each write makes a version: it adds a file, and sets the time in each stage
          const { version } = found.deal;
          const times = found.stage.map(({ submitted_at }) => submitted_at);
          const what = `the deal of version ${version}`;
          equal(found.work_file.length, version - 1, `the number of files of ${what}`);
          if (version > 1)
            equal(
              times,
              stages.map(() => timeOf(version)),
              `the times of the stages of ${what}`,
            );
        }
      };
      await Promise.all([
        write().finally(() => {
          isWriting = false;
        }),
        read(() => ask(store.deals.byId(acme, id, written))),
        read(() => ask(store.deals.byPartnerId(acme, 'deal', written))),
        read(() => ask(store.deals.byPaymentToken(acme, payment_token, written))),
      ]);
    });
  },
);

function timeOf(version: number): string {
  return `2026-01-01T00:00:00.${String(version).padStart(3, '0')}Z`;
}
