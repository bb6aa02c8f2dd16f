import { check, equal, show } from '../expectations.js';
import { expectStatus, group, type Members, membersOf, type Server } from './server.js';
import { inEachVersion, type Version, version1, version2 } from './versions.js';

/** A main category. */
interface Category {
  readonly id: number;
  readonly name: string;
  readonly subcategories: readonly Subcategory[];
}

type Subcategory = Pick<Category, 'id' | 'name'>;

/** Decision 4: the category tree of both versions. */
export const categories = group(
  'categories',
  {
    must: {
      '4/categories/success': 'The categories of version 1.0 come with the member `success: true`.',
      '4/categories/main': 'A main category has an id, a name and its subcategories.',
      '4/categories/sub': 'A subcategory has an id and a name.',
      '4/categories/ids': 'Ids of categories are safe integers.',
      '4/categories/names': 'Names of categories are texts that are not empty.',
      '4/categories/unique-main': 'No two main categories have the same id.',
      '4/categories/unique-sub': 'No two subcategories of the whole tree have the same id.',
      '4/categories/any': 'There is at least one subcategory.',
      '4/categories/same-tree': 'Both versions have the same tree.',
      '4/categories/known': 'A deal may have the last subcategory of the tree.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    define('4/categories/success', async ({ partner }) => {
      const answer = (await partner.send('GET', version1.read)).members();
      equal(answer['success'], true, 'the member success of the categories');
    });

    defineInEach('4/categories/main', async (server, version) => {
      for (const each of await rawTree(server, version)) {
        const { id, name, subcategories } = each;
        const isWhole = id !== undefined && name !== undefined && Array.isArray(subcategories);
        check(isWhole, `a main category has id, name and subcategories\n  actual: ${show(each)}`);
      }
    });

    defineInEach('4/categories/sub', async (server, version) => {
      for (const each of await rawSubcategories(server, version)) {
        const isWhole = each['id'] !== undefined && each['name'] !== undefined;
        check(isWhole, `a subcategory has id and name\n  actual: ${show(each)}`);
      }
    });

    defineInEach('4/categories/ids', async (server, version) => {
      for (const { id } of await rawAll(server, version)) {
        check(Number.isSafeInteger(id), `an id is a safe integer\n  actual: ${show(id)}`);
      }
    });

    defineInEach('4/categories/names', async (server, version) => {
      for (const { name } of await rawAll(server, version)) {
        const isText = typeof name === 'string' && name.trim() !== '';
        check(isText, `a name is a text that is not empty\n  actual: ${show(name)}`);
      }
    });

    for (const [id, read] of [
      ['4/categories/unique-main', rawTree],
      ['4/categories/unique-sub', rawSubcategories],
    ] as const) {
      defineInEach(id, async (server, version) => {
        const ids = (await read(server, version)).map((each) => each['id']);
        const twice = ids.filter((each, at) => ids.indexOf(each) !== at);
        equal(twice, [], 'the ids that several have');
      });
    }

    defineInEach('4/categories/any', async (server, version) => {
      const all = await rawSubcategories(server, version);
      check(all.length > 0, 'the tree has a subcategory\n  actual: none');
    });

    define('4/categories/same-tree', async (server) => {
      const first = await readTree(server, version1);
      equal(await readTree(server, version2), first, 'the tree of version 2.0');
    });

    define(
      '4/categories/known',
      async (server) => {
        const sub_category_id = await lastOf(server, version1);
        const body = server.deal({ contractor_email: await server.registered(), sub_category_id });
        expectStatus(await server.partner.send('POST', '/api/1.0/deal/', { body }), 201);
      },
      '1.0',
    );
    define(
      '4/categories/known',
      async (server) => {
        const body = server.dealV2({ subcategory_id: await lastOf(server, version2) });
        expectStatus(await server.partner.send('POST', '/api/2.0/deal/', { body }), 201);
      },
      '2.0',
    );
  },
);

/** The member `data` of the categories: a list of objects. */
async function rawTree(
  { partner }: Server,
  { read }: Version,
  language?: string,
): Promise<Members[]> {
  const headers = { 'accept-language': language };
  const reply = await partner.send('GET', read, { headers });
  expectStatus(reply, 200);
  const { data } = reply.members();
  return listOf(data, 'the member data of the categories');
}

async function rawSubcategories(server: Server, version: Version): Promise<Members[]> {
  const tree = await rawTree(server, version);
  return tree.flatMap((main) => listOf(main['subcategories'], 'the subcategories'));
}

const rawAll = async (server: Server, version: Version) => [
  ...(await rawTree(server, version)),
  ...(await rawSubcategories(server, version)),
];

function listOf(value: unknown, what: string): Members[] {
  check(Array.isArray(value), `${what} is an array\n  actual: ${show(value)}`);
  return value.map((each) => membersOf(each, `a member of ${what}`));
}

/** The tree in a language, without members that the interface does not have. */
export async function readTree(
  server: Server,
  version: Version,
  language?: string,
): Promise<Category[]> {
  const plain = ({ id, name }: Members) => ({ id: Number(id), name: String(name) });
  return (await rawTree(server, version, language)).map((main) => ({
    ...plain(main),
    subcategories: listOf(main['subcategories'], 'the subcategories').map(plain),
  }));
}

/** All names of a tree. */
export const namesIn = (tree: readonly Category[]): string[] =>
  tree.flatMap(({ name, subcategories }) => [name, ...subcategories.map((each) => each.name)]);

/** The ids of a tree, in their order. */
export const shapeOf = (tree: readonly Category[]): number[][] =>
  tree.map(({ id, subcategories }) => [id, ...subcategories.map((each) => each.id)]);

async function lastOf(server: Server, version: Version): Promise<number> {
  const last = (await readTree(server, version)).flatMap((main) => main.subcategories).at(-1);
  check(last !== undefined, 'the tree has a subcategory');
  return last.id;
}
