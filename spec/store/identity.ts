import { isUlid } from '../../src/domain/values/ulid.js';
import { check, equal } from '../expectations.js';
import { acme, ask, type DefineCase } from './subject.js';
import { committed, registration } from './writes.js';

/** The promises about the id of a store, if it has one. */
export function identity(define: DefineCase): void {
  define('has one id, a ULID, whatever is written, and asked for at once', async (store) => {
    // a store without an id lacks the method, or returns `undefined`
    if (store.identity === undefined) return;
    const asked = Array.from({ length: 20 }, () => ask(store.identity?.() ?? never()));
    const [first, ...others] = await Promise.all(asked);
    for (const each of others) equal(each, first, 'the id that another call was answered');
    if (first === undefined) return;
    check(isUlid(first), 'the id is a ULID');
    equal(await ask(store.commit(acme, registration('written'))), committed, 'a write');
    equal(await ask(store.identity()), first, 'the id after a write');
    const again = await store.reopened?.();
    if (again === undefined) return;
    try {
      equal(await ask(again.identity?.() ?? never()), first, 'the id for another handle');
    } finally {
      await again.close();
    }
  });

  define('has another id than another store', async (store) => {
    const other = await store.another?.();
    if (other === undefined || store.identity === undefined) return;
    try {
      const own = await ask(store.identity());
      const theirs = await ask(other.identity?.() ?? never());
      check(own === undefined || own !== theirs, 'two stores have two ids');
    } finally {
      await other.close();
    }
  });

  define('answers the same id to two handles that ask at once', async (store) => {
    const second = await store.reopened?.();
    if (second === undefined) return;
    try {
      const ids = await Promise.all(
        [store, second, store, second].map((each) => ask(each.identity?.() ?? never())),
      );
      for (const id of ids) equal(id, ids[0], 'the id of both');
    } finally {
      await second.close();
    }
  });
}

function never(): never {
  throw new Error('the handles of a store have the same methods');
}
