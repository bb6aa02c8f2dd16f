import { equal } from '../expectations.js';
import { ask } from '../store/subject.js';
import { fill } from './filled.js';
import {
  type DefineArchiveCase,
  dumped,
  refuses,
  type StoreArchiveSubject,
  streamed,
} from './subject.js';

/** The id of a store moves with its records, if both stores have one. */
export function identity(define: DefineArchiveCase): void {
  const idOf = async (store: StoreArchiveSubject) =>
    store.identity === undefined ? undefined : ask(store.identity());

  define('takes the id of the store over, also in the place of its own', async (stores) => {
    const from = await stores.from();
    await fill(from);
    const id = await idOf(from);
    for (const hasOwn of [false, true]) {
      const into = await stores.into();
      if (into.identity === undefined || id === undefined) return;
      if (hasOwn) await idOf(into);
      await from.settled?.();
      const records = from.archive.dump();
      equal(await records.identity?.(), id, 'the id that comes with the records');
      await into.archive.restore(records);
      equal(await idOf(into), id, 'the id of the other store');
      equal(await into.archive.dump().identity?.(), id, 'the id in its own archive');
    }
  });

  define('leaves a store its own id where none comes with the records', async (stores) => {
    const from = await stores.from();
    equal(await from.archive.dump().identity?.(), undefined, 'a store that has made none');
    await fill(from);
    const into = await stores.into();
    const own = await idOf(into);
    await into.archive.restore(streamed(await dumped(from)));
    equal(await idOf(into), own, 'the id');
  });

  define('refuses an id that is not one, and keeps nothing of it', async (stores) => {
    const into = await stores.into();
    if (into.identity === undefined) return;
    const own = await idOf(into);
    const records = Object.assign(streamed([]), { identity: async () => 'not a ULID' });
    await refuses(into, records, 'an id that is not a ULID');
    equal(await idOf(into), own, 'the id');
  });
}
