import { check, equal } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { acme, ask, bytesFrom, fileId, group, put, read, sameBytes } from './subject.js';

const [first, second] = [fileId(90), fileId(91)];

/** The owner of the contents, if a file store keeps it. */
export const owner = group(
  'whose it is',
  {
    must: {
      '8/files/owner/unclaimed':
        'A file store that no store has claimed says `empty` while it has no content, and `unknown` while it has one.',
      '8/files/owner/first-claim':
        'A file store keeps the id of the first store that claims it until another id replaces it.',
      '8/files/owner/claims-at-once':
        'All claims of a file store at the same time get the same id, which is one of theirs.',
    },
  },
  (define) => {
    define('8/files/owner/unclaimed', async (store) => {
      if (store.owner === undefined) notApplicable('the store names no owner');
      equal(await ask(store.owner.read()), 'empty', 'an empty store');
      await put(store, acme, fileId(1), bytesFrom(1, 10));
      equal(await ask(store.owner.read()), 'unknown', 'with a content that nobody claimed');
      await ask(store.delete(acme, fileId(1)));
      equal(await ask(store.owner.read()), 'empty', 'without it');
    });

    define('8/files/owner/first-claim', async (store) => {
      if (store.owner === undefined) notApplicable('the store names no owner');
      equal(await ask(store.owner.claim(first)), first, 'the first claim');
      equal(await ask(store.owner.claim(second)), first, 'the second');
      equal(await ask(store.owner.claim(first)), first, 'the first again');
      equal(await ask(store.owner.read()), { store: first }, 'the id that is kept');
      await put(store, acme, fileId(1), bytesFrom(1, 10));
      equal(await ask(store.owner.read()), { store: first }, 'with a content');
      equal(await ask(store.list(acme, undefined)), [fileId(1)], 'the contents alone');
      equal(await ask(store.owner.replace(second)), 'replaced', 'the answer');
      equal(await ask(store.owner.read()), { store: second }, 'the id that replaced it');
      equal(await ask(store.owner.claim(first)), second, 'a claim behind it');
    });

    define('8/files/owner/claims-at-once', async (store) => {
      const { owner } = store;
      if (owner === undefined) notApplicable('the store names no owner');
      const ids = Array.from({ length: 12 }, (_, at) => fileId(100 + at));
      const answers = await Promise.all(ids.map((id) => ask(owner.claim(id))));
      check(ids.includes(answers[0] ?? ''), 'one of them is kept');
      for (const each of answers) equal(each, answers[0], 'the id that is kept');
      equal(await ask(owner.read()), { store: answers[0] ?? '' }, 'the id that is read');
    });
  },
);

const globex = { environment: 'sandbox', partner: 'globex' } as const;

/** Contents that are about to be deleted, if a file store keeps them. */
export const trash = group(
  'trash',
  {
    must: {
      '8/files/trash/restored':
        'A content in the trash is not read, listed or deleted as a content, and comes back unchanged if it is restored.',
      '8/files/trash/deleted':
        'The trash deletes a content for good, and only one that is in the trash.',
      '8/files/trash/list':
        'The trash lists each of its contents once, with its time, in the order of the ids, and for its own tenant alone.',
    },
  },
  (define) => {
    define('8/files/trash/restored', async (store) => {
      if (store.trash === undefined) notApplicable('the store has no trash');
      const content = bytesFrom(7, 300_000);
      await put(store, acme, fileId(1), content);
      await put(store, acme, fileId(2), bytesFrom(8, 10));
      equal(await ask(store.trash.put(acme, fileId(1), 1_234)), 'trashed', 'the answer');
      check((await ask(store.get(acme, fileId(1)))) === undefined, 'it is not read');
      equal(await ask(store.list(acme, undefined)), [fileId(2)], 'it is not listed');
      equal(await ask(store.delete(acme, fileId(1))), 'missing', 'it is not deleted');
      const trashed = [{ id: fileId(1), since: 1_234 }];
      equal(await ask(store.trash.list(acme, undefined)), trashed, 'it is in the trash');
      equal(await ask(store.trash.restore(acme, fileId(1))), 'restored', 'the answer');
      sameBytes(await read(store, acme, fileId(1)), content, 'the content');
      equal(await ask(store.trash.list(acme, undefined)), [], 'the trash is empty');
      equal(await ask(store.list(acme, undefined)), [fileId(1), fileId(2)], 'both are listed');
      equal(await ask(store.trash.put(acme, fileId(1), 99_999)), 'trashed', 'once more');
      const again = [{ id: fileId(1), since: 99_999 }];
      equal(await ask(store.trash.list(acme, undefined)), again, 'with the later time');
    });

    define('8/files/trash/deleted', async (store) => {
      if (store.trash === undefined) notApplicable('the store has no trash');
      const kept = bytesFrom(2, 100);
      await put(store, acme, fileId(1), bytesFrom(1, 100));
      await put(store, acme, fileId(2), kept);
      equal(await ask(store.trash.delete(acme, fileId(1))), 'missing', 'a content is not there');
      await ask(store.trash.put(acme, fileId(1), 5));
      equal(await ask(store.trash.delete(acme, fileId(1))), 'deleted', 'the answer');
      equal(await ask(store.trash.delete(acme, fileId(1))), 'missing', 'it is gone');
      equal(await ask(store.trash.restore(acme, fileId(1))), 'missing', 'and not to be had');
      equal(await ask(store.trash.put(acme, fileId(1), 5)), 'missing', 'nothing to be moved');
      sameBytes(await read(store, acme, fileId(2)), kept, 'the other content');
    });

    define('8/files/trash/list', async (store) => {
      const { trash } = store;
      if (trash === undefined) notApplicable('the store has no trash');
      const numbers = [3, 1, 20, 2];
      for (const number of numbers) {
        await put(store, acme, fileId(number), bytesFrom(number, 10));
        await ask(trash.put(acme, fileId(number), number * 1_000));
      }
      await put(store, globex, fileId(1), bytesFrom(50, 10));
      equal(await ask(trash.list(globex, undefined)), [], 'nothing of another tenant');
      equal(await ask(trash.restore(globex, fileId(2))), 'missing', 'nor to be had by it');
      const seen: { readonly id: string; readonly since: number }[] = [];
      for (;;) {
        const page = await ask(trash.list(acme, seen.at(-1)?.id));
        if (page.length === 0) break;
        seen.push(...page);
        check(seen.length <= numbers.length, 'none is there twice');
      }
      const expected = [1, 2, 3, 20].map((at) => ({ id: fileId(at), since: at * 1_000 }));
      equal(seen, expected, 'all of it, in order');
      sameBytes(await read(store, globex, fileId(1)), bytesFrom(50, 10), 'the content of another');
    });
  },
);
