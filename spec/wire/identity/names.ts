import { equal } from '../../expectations.js';
import { byId, createDealV2, created, entriesOf, inEachDeal } from '../creates/create.js';
import { expectError, expectStatus, group } from '../server.js';

/** Names that are alike but differ, made from one that has the prefix of the run. */
const alike = {
  '2.2/identity/case': (name) => [`${name}a\u0131`, `${name}A\u0131`, `${name}aI`, `${name}ai`],
  '2.2/identity/blanks': (name) => [name, `${name} `, ` ${name}`, `${name}\u00a0`, `${name}\t`],
  '2.2/identity/normal-forms': (name) => [`${name}\u00e9`, `${name}e\u0301`],
  '2.2/identity/compatibility': (name) => [`${name}fi`, `${name}\ufb01`, `${name}\uff46i`],
  '2.2/identity/accents': (name) => [`${name}e`, `${name}\u00e9`, `${name}\u00df`, `${name}ss`],
  '2.2/identity/invisible': (name) => [name, `${name}\u200b`, `\ufeff${name}`, `${name}\u00ad`],
  '2.2/identity/beyond-bmp': (name) => [`${name}\u{1d49c}`, `${name}\u{1d49d}`, `${name}\u{20000}`],
} as const satisfies Readonly<Record<string, (name: string) => readonly [string, ...string[]]>>;

/** Decision 2.2: a `partner_id` is compared code point by code point. */
export const partnerIds = group(
  'comparison of partner_id',
  {
    must: {
      '2.2/identity/case': 'Two `partner_id` that differ in case alone name two deals.',
      '2.2/identity/blanks': 'Two `partner_id` that differ in blanks alone name two deals.',
      '2.2/identity/normal-forms':
        'Two `partner_id` that differ in their Unicode normal form alone name two deals.',
      '2.2/identity/compatibility':
        'Two `partner_id` name two deals if one has a ligature or a full-width letter for a plain one.',
      '2.2/identity/accents': 'Two `partner_id` that differ in an accent alone name two deals.',
      '2.2/identity/invisible':
        'Two `partner_id` that differ in invisible characters alone name two deals.',
      '2.2/identity/beyond-bmp':
        'Two `partner_id` that differ in characters above U+FFFF alone name two deals.',
      '2.2/details/exact-name': 'A deal is found by exactly its own `partner_id`.',
      '2.2/details/own-deal': 'Each of several `partner_id` that are alike finds its own deal.',
    },
  },
  (define) => {
    for (const [id, namesLike] of entriesOf(alike)) {
      inEachDeal(define)(id, async (server, create) => {
        const shared = create.path.includes('/1.0/') && {
          [create.email]: await server.registered(),
        };
        const names = namesLike(server.name('id'));
        for (const partner_id of names) await created(server, create, { ...shared, partner_id });
        for (const partner_id of names) {
          const body = await create.valid(server, { ...shared, partner_id });
          expectError(await server.partner.send('POST', create.path, { body }), 409, create.exists);
        }
      });
    }

    define('2.2/details/exact-name', async (server) => {
      for (const [, namesLike] of entriesOf(alike)) {
        const [first, ...others] = namesLike(server.name('id'));
        await created(server, createDealV2, { partner_id: first });
        expectStatus(await server.partner.send('GET', byId(first)), 200);
        for (const other of others) {
          expectError(await server.partner.send('GET', byId(other)), 404, 'not_found');
        }
      }
    });

    define('2.2/details/own-deal', async (server) => {
      for (const [, namesLike] of entriesOf(alike)) {
        const names = namesLike(server.name('id'));
        for (const [at, partner_id] of names.entries()) {
          await created(server, createDealV2, { partner_id, title: `deal ${at}` });
        }
        for (const [at, partner_id] of names.entries()) {
          const { title } = await server.partner.data('GET', byId(partner_id));
          equal(title, `deal ${at}`, `the title of the deal ${JSON.stringify(partner_id)}`);
        }
      }
    });
  },
);
