import { check, equal, show } from '../expectations.js';
import { namesIn, readTree, shapeOf } from './categories.js';
import { expectError, group, type Members, membersOf, type Server } from './server.js';
import { inEachVersion, type Version } from './versions.js';

/** Headers that ask for a language in several ways. */
const asks = {
  weights: {
    pl: ['en;q=0.3, pl;q=0.8', 'de, pl;q=0.9, en;q=0.8', 'pl-PL,pl;q=0.9,en-US;q=0.8,en;q=0.7'],
    en: ['pl;q=0.3, en', 'pl;q=0.5, en;q=0.501', 'de, fr;q=0.9, en;q=0.8, pl;q=0.2'],
  },
  others: { pl: ['de, pl;q=0.1', 'fr-FR, pl'], en: ['de', 'fr-FR, de;q=0.5'] },
  refused: { pl: [], en: ['pl;q=0', 'pl;q=0.0, de'] },
  case: { pl: ['PL', 'Pl, EN;q=0.5'], en: ['EN, PL;q=0.5'] },
  garbage: { pl: [], en: ['', ';q=1', ',,,', 'pl;q=x;, =', 'x'.repeat(2000)] },
  regions: { pl: ['pl-PL'], en: ['en-GB, pl;q=0.5'] },
};

/** Decision 1.8: English and Polish, by the header `Accept-Language`. */
export const languages = group(
  'languages',
  {
    must: {
      '1.8/errors/language': 'A message is another text in Polish than in English.',
      '1.8/errors/language-codes': 'The codes of an error are the same in each language.',
      '1.8/errors/language-default': 'Without a header `Accept-Language`, messages are in English.',
      '1.8/errors/language-weights':
        'Messages are in that of the two languages to which `Accept-Language` gives more weight.',
      '1.8/errors/language-others':
        'Messages are in English if `Accept-Language` names neither language, else in the named one.',
      '1.8/errors/language-refused': 'Messages are in English if Polish has the weight 0.',
      '1.8/errors/language-case': 'The name of a language may have any case.',
      '1.8/errors/language-garbage':
        'Messages are in English if the header `Accept-Language` cannot be understood.',
      '1.8/categories/language-default': 'Without `Accept-Language`, categories are in English.',
      '1.8/categories/language-weights':
        'Categories are in that of the two languages to which `Accept-Language` gives more weight.',
      '1.8/categories/language-ids': 'Categories have the same ids and order in each language.',
    },
    should: {
      '1.8/errors/language-regions': 'A language of a region counts as the language: `pl-PL`.',
      '1.8/categories/language': 'Categories have other names in Polish than in English.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    defineInEach('1.8/errors/language', async (server, version) => {
      const polish = await messagesIn('pl', server, version);
      for (const [at, message] of (await messagesIn('en', server, version)).entries()) {
        check(message !== polish[at], `a text for each language\n  actual: ${message} in both`);
      }
    });

    defineInEach('1.8/errors/language-codes', async (server, version) => {
      const [english, polish] = [
        await issuesIn('en', server, version),
        await issuesIn('pl', server, version),
      ];
      const plain = ({ path, code }: Members) => ({ path, code });
      equal(polish.map(plain), english.map(plain), 'paths and codes in Polish');
    });

    defineInEach('1.8/errors/language-default', async (server, version) => {
      const english = await messagesIn('en', server, version);
      equal(await messagesIn(undefined, server, version), english, 'the messages');
    });

    for (const name of ['weights', 'others', 'refused', 'case', 'garbage', 'regions'] as const) {
      defineInEach(`1.8/errors/language-${name}`, async (server, version) => {
        for (const language of ['pl', 'en'] as const) {
          const expected = await messagesIn(language, server, version);
          for (const ask of asks[name][language]) {
            const messages = await messagesIn(ask, server, version);
            equal(messages, expected, `the messages for Accept-Language: ${ask.slice(0, 80)}`);
          }
        }
      });
    }

    defineInEach('1.8/categories/language', async (server, version) => {
      const [english, polish] = await treesOf(server, version);
      const same = JSON.stringify(namesIn(english)) === JSON.stringify(namesIn(polish));
      check(!same, `the names of each language\n  actual: ${show(namesIn(english))} in both`);
    });

    defineInEach('1.8/categories/language-default', async (server, version) => {
      const [english] = await treesOf(server, version);
      equal(await readTree(server, version), english, 'the categories');
    });

    defineInEach('1.8/categories/language-weights', async (server, version) => {
      const [english, polish] = await treesOf(server, version);
      for (const [expected, all] of [
        [polish, asks.weights.pl],
        [english, asks.weights.en],
      ] as const) {
        for (const ask of all) {
          const tree = await readTree(server, version, ask);
          equal(tree, expected, `the categories for Accept-Language: ${ask}`);
        }
      }
    });

    defineInEach('1.8/categories/language-ids', async (server, version) => {
      const [english, polish] = await treesOf(server, version);
      equal(shapeOf(polish), shapeOf(english), 'the ids of the categories in Polish');
    });
  },
);

const treesOf = async (server: Server, version: Version) =>
  [await readTree(server, version, 'en'), await readTree(server, version, 'pl')] as const;

/** The problems of an empty body: each field that is required. */
async function issuesIn(
  accepted: string | undefined,
  { partner }: Server,
  { create }: Version,
): Promise<Members[]> {
  const headers = { 'accept-language': accepted };
  const reply = await partner.send('POST', create, { body: {}, headers });
  const { errors } = expectError(reply, 400, 'validation_failed');
  check(Array.isArray(errors), `the member errors is an array\n  actual: ${show(errors)}`);
  return errors.map((each) => membersOf(each, 'an issue'));
}

async function messagesIn(...asked: Parameters<typeof issuesIn>): Promise<unknown[]> {
  return (await issuesIn(...asked)).map(({ message }) => message);
}
