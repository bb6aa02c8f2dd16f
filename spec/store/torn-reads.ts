import type { DealPart } from '../../src/domain/records/records.js';
import type { DealWith } from '../../src/ports/store.js';
import { check, equal } from '../expectations.js';
import { acme, ask, type DefineCase } from './subject.js';
import { changeOf, committed, createDeal, present, provided, upload } from './writes.js';

/** Writes while the deal is read: more than enough to come between two statements of a read. */
const writes = 100;

const parts = ['stage', 'work_file'] as const satisfies readonly DealPart[];
type Read = DealWith<(typeof parts)[number]> | undefined;

/** A read returns the state of one moment, even from several tables. */
export function tornReads(define: DefineCase): void {
  define('reads a deal and its parts as of one moment, while others write', async (store) => {
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
      read(() => ask(store.deals.byId(acme, id, parts))),
      read(() => ask(store.deals.byPartnerId(acme, 'deal', parts))),
      read(() => ask(store.deals.byPaymentToken(acme, payment_token, parts))),
    ]);
  });
}

function timeOf(version: number): string {
  return `2026-01-01T00:00:00.${String(version).padStart(3, '0')}Z`;
}
