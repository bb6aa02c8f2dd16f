import { equal } from '../../expectations.js';
import { type Create, entriesOf, inEachCreate } from '../creates/create.js';
import { expectError, expectIssues, group, type Server } from '../server.js';

const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('');

const malformed = {
  '2.7/keys/too-long': (name) => name.padEnd(256, 'x'),
  '2.7/keys/with-blank': (name) => `${name} key`,
  '2.7/keys/with-tab': (name) => `${name}\tkey`,
  '2.7/keys/two-in-one-header': (name) => `${name}, ${name}`,
  '2.7/keys/not-ascii': (name) => `${name}\u00e9`,
  '2.7/keys/empty': () => '',
} as const satisfies Readonly<Record<string, (name: string) => string>>;

/** Decision 2.7: a key has 1 to 255 visible ASCII characters. */
export const keyForms = group(
  'forms of keys',
  {
    must: {
      '2.7/keys/longest': 'A key may have 255 characters, and all of them count.',
      '2.7/keys/shortest': 'A key may have one character.',
      '2.7/keys/visible-characters': 'A key may have every visible ASCII character.',
      '2.7/keys/case': 'Keys that differ in case alone are different.',
      '2.7/keys/too-long': 'A key of 256 characters is 400.',
      '2.7/keys/with-blank': 'A key with a blank in it is 400.',
      '2.7/keys/with-tab': 'A key with a tab in it is 400.',
      '2.7/keys/two-in-one-header': 'Two keys in one header are 400.',
      '2.7/keys/not-ascii': 'A key with a character that is not ASCII is 400.',
      '2.7/keys/empty': 'A header `Idempotency-Key` without a value is 400.',
      '2.7/keys/malformed-stores-nothing': 'A create that was refused for its key stores nothing.',
      '2.7/keys/malformed-before-validation': 'A malformed key is reported before invalid input.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);

    inEach('2.7/keys/longest', async (server, create) => {
      const beginning = server.name('key').padEnd(254, 'x');
      await expectTwoKeys(server, create, `${beginning}a`, `${beginning}b`);
    });

    inEach('2.7/keys/shortest', async (server, create) => {
      // a key so short would belong to the first run alone, so that nothing may be stored under it
      const body = { ...(await create.valid(server)), [create.text]: '' };
      const reply = await server.partner.send('POST', create.path, { body, key: 'k' });
      expectIssues(reply, { path: [create.text], code: 'too_short' });
    });

    inEach('2.7/keys/visible-characters', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key') + visible];
      const data = await server.partner.data('POST', create.path, { body, key });
      const again = await server.partner.data('POST', create.path, { body, key });
      equal(again, data, 'the member data of the repeat');
    });

    inEach('2.7/keys/case', async (server, create) => {
      const name = server.name('key');
      await expectTwoKeys(server, create, `${name}a`, `${name}A`);
    });

    for (const [id, keyLike] of entriesOf(malformed)) {
      inEach(id, async (server, create) => {
        const key = keyLike(server.name('key'));
        await expectMalformed(server, create, await create.valid(server), key);
      });
    }

    inEach('2.7/keys/malformed-stores-nothing', async (server, create) => {
      const body = await create.valid(server);
      await expectMalformed(server, create, body, `${server.name('key')} key`);
      await server.partner.data('POST', create.path, { body });
    });

    inEach('2.7/keys/malformed-before-validation', async (server, create) => {
      await expectMalformed(server, create, {}, `${server.name('key')} key`);
    });
  },
);

/** Two keys make two records. */
async function expectTwoKeys(server: Server, create: Create, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const body = await create.valid(server);
    await server.partner.data('POST', create.path, { body, key });
  }
}

async function expectMalformed(
  { partner }: Server,
  create: Create,
  body: object,
  key: string,
): Promise<void> {
  const reply = await partner.send('POST', create.path, { body, key });
  expectError(reply, 400, 'invalid_idempotency_key');
}
