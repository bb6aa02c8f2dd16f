import type { Tenant } from '../../src/domain/values/tenant.js';
import { check, equal } from '../expectations.js';
import {
  acme,
  ask,
  bytesFrom,
  type FileStoreSubject,
  fileId,
  group,
  put,
  read,
  sameBytes,
} from './subject.js';

const id = fileId(1);

/** Names that are special in a path, a URL, a file system or a pattern, or look like another. */
const partners: readonly string[] = [
  'acme',
  'Acme',
  'ACME',
  'acme ',
  ' acme',
  'acme.',
  '.',
  '..',
  '/',
  '../acme',
  'acme/..',
  'acme/sandbox',
  'a\\c',
  'a:c',
  'sandbox',
  'production',
  '%2e%2e',
  '%61cme',
  'con',
  '-rf',
  '*',
  '?',
  '#',
  '<acme>&amp;',
  '"\'`$(acme)',
  'a\nc',
  '\u0001',
  '\u00e9',
  'e\u0301',
  '\u{1f600}'.repeat(128),
  'x'.repeat(128),
  `${'x'.repeat(127)}y`,
];

/** The ids after this one, page by page to the end; up to a limit, in case the store never ends. */
async function listAll(
  store: FileStoreSubject,
  after: string | undefined,
  most: number,
): Promise<readonly string[]> {
  const listed: string[] = [];
  for (;;) {
    const page = await ask(store.list(acme, listed.at(-1) ?? after));
    if (page.length === 0) return listed;
    listed.push(...page);
    check(listed.length <= most, 'the pages come to an end, and none is there twice');
  }
}

/** The contents found under ids, by tenant. */
export const ids = group(
  'ids and tenants',
  {
    must: {
      '8/files/unknown-id':
        'An id without a content has nothing to read, is `missing` when it is deleted, and is not listed.',
      '8/files/deleted':
        'A content that is deleted is neither read nor listed any more, and no other content is deleted with it.',
      '8/files/list':
        'The list after any id, stored or not, has each later id once, in the order of their text, page by page.',
      '2.1/files/tenants':
        'A content is read, listed and deleted for its own partner and environment alone, with any name of a partner.',
    },
  },
  (define) => {
    define('8/files/unknown-id', async (store) => {
      check((await ask(store.get(acme, id))) === undefined, 'nothing to read');
      equal(await ask(store.delete(acme, id)), 'missing', 'nothing to delete');
      equal(await ask(store.list(acme, undefined)), [], 'nothing to list');
      equal(await ask(store.list(acme, id)), [], 'nothing after it either');
    });

    define('8/files/deleted', async (store) => {
      const kept = bytesFrom(2, 100);
      await put(store, acme, id, bytesFrom(1, 100));
      await put(store, acme, fileId(2), kept);
      equal(await ask(store.delete(acme, id)), 'deleted', 'the answer');
      check((await ask(store.get(acme, id))) === undefined, 'it is gone');
      equal(await ask(store.delete(acme, id)), 'missing', 'the answer to another');
      equal(await ask(store.list(acme, undefined)), [fileId(2)], 'what is listed');
      sameBytes(await read(store, acme, fileId(2)), kept, 'the other content');
    });

    define('8/files/list', async (store) => {
      const all = [...[2, 30, 4, 11, 200, 1, 7].map(fileId), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'];
      for (const each of all) await put(store, acme, each, bytesFrom(1, 10));
      const sorted = [1, 2, 4, 7, 11, 30, 200].map(fileId);
      const expected = [...sorted, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'];
      equal(await listAll(store, undefined, expected.length), expected, 'from the beginning');
      // page by page of any length, from each id on
      for (const [index, each] of expected.entries()) {
        const rest = expected.slice(index + 1);
        equal(await listAll(store, each, rest.length), rest, `after ${each}`);
      }
      equal(await listAll(store, fileId(5), 5), expected.slice(3), 'after what is not there');
      await ask(store.delete(acme, fileId(7)));
      equal(await listAll(store, fileId(7), 4), expected.slice(4), 'after what was deleted');
    });

    define('2.1/files/tenants', async (store) => {
      const tenants = partners.flatMap((partner): Tenant[] => [
        { environment: 'sandbox', partner },
        { environment: 'production', partner },
      ]);
      for (const [index, tenant] of tenants.entries()) {
        check((await ask(store.get(tenant, id))) === undefined, `nothing of ${tenant.partner} yet`);
        await put(store, tenant, id, bytesFrom(index, 50));
      }
      for (const [index, tenant] of tenants.entries()) {
        equal(await ask(store.list(tenant, undefined)), [id], 'what is listed');
        sameBytes(await read(store, tenant, id), bytesFrom(index, 50), 'a content');
      }
      const [first, ...others] = tenants;
      if (first !== undefined) await ask(store.delete(first, id));
      for (const tenant of others) {
        equal(await ask(store.list(tenant, undefined)), [id], 'what is listed of others');
      }
    });
  },
);
