import { equal } from '../../expectations.js';
import { expectStatus, group, type Members, type Server } from '../server.js';
import {
  createDeal,
  createDealV2,
  created,
  type DealCreate,
  entriesOf,
  inEachDeal,
  stored,
} from './create.js';

/** Text that careless programs change, by the law that says that it stays. */
const texts = {
  '1.2/create/blanks-kept': '  blanks  at both ends, and\ttabs\r\nand lines \u00a0 ',
  '1.2/create/normal-forms-kept': 'e\u0301 \u00e9 \u212b \uac00 \u1100\u1161 ﬁ Ⅷ ｆ ²',
  '1.2/create/case-kept': 'MiXeD CaSe, İ ı ß ẞ ſ Σς',
  '1.2/create/markup-kept': '<b>&amp; &#65;</b> %41 \\u0041 \\n \' " {{7*7}} $1 $& -- +',
  '1.2/create/astral-kept': '😀 👩‍👩‍👧 𝒜 \u{10ffff}',
  '1.2/create/controls-kept': '\u0001 \u001f \u007f \u0085 \u200b \u202e \u2028 \ufeff \uffff',
} as const;

/** Money as it is sent and as it is stored, by the law. */
const money = {
  '1.4/create/money-two-decimals': [
    ['1000', '1000.00'],
    ['1000.5', '1000.50'],
    ['7.', '7.00'],
    ['7.10', '7.10'],
  ],
  '1.4/create/money-zeros': [
    ['.5', '0.50'],
    ['.01', '0.01'],
    ['0007.25', '7.25'],
    ['000000000000000001.01', '1.01'],
  ],
  '1.4/create/money-exact': [
    ['999999999999999999.99', '999999999999999999.99'],
    ['90071992547409.93', '90071992547409.93'],
    ['1.15', '1.15'],
    ['0.29', '0.29'],
  ],
} as const;

const largest = Number.MAX_SAFE_INTEGER;

/** Sections 1 and 4: a deal has the values that were sent. */
export const createdValues = group(
  'values of a new deal',
  {
    must: {
      '4/create/stored': 'A deal has the values of all fields of its create.',
      '4/create/readable-at-once': 'A deal can be read as soon as its create was answered.',
      '1.2/create/blanks-kept': 'Blanks, tabs and line breaks in a text stay, at its ends too.',
      '1.2/create/normal-forms-kept': 'A text stays in its own Unicode normal form.',
      '1.2/create/case-kept': 'Letters of a text stay in their case.',
      '1.2/create/markup-kept': 'Markup, escapes and placeholders in a text stay as they are.',
      '1.2/create/astral-kept': 'Characters above U+FFFF in a text stay.',
      '1.2/create/controls-kept':
        'Control characters and noncharacters in a text stay, but U+0000.',
      '1.2/create/long-text-kept': 'A description of 20,000 characters stays whole.',
      '1.2/create/email-kept': 'An address stays in the case in which it was sent.',
      '1.5/create/currency-kept': 'The currency of a deal is any three characters, and stays.',
      '1.4/create/money-two-decimals':
        'An amount is stored with two digits after the decimal point.',
      '1.4/create/money-zeros':
        'An amount is stored with one digit or more, and no zeros too many, before the decimal point.',
      '1.4/create/money-exact':
        'An amount is stored exactly, up to 18 digits before the decimal point.',
      '1.4/create/money-negative': 'A budget of version 1.0 may be negative or zero.',
      '1.4/create/money-no-minus-zero': 'A budget of zero is stored without a minus.',
      '1.6/create/work-days': 'Work days of version 1.0 are any integer from -(2^53-1) to 2^53-1.',
      '1.6/create/integral-number':
        'A number without a fraction is an integer, however it is written.',
      '1.10/create/work-days-default': 'A deal of version 1.0 without `work_days` has 30 of them.',
      '3/create/choices-kept':
        'A deal of version 2.0 has the copyright transfer and the language of its create.',
    },
  },
  (define) => {
    const inBoth = inEachDeal(define);

    inBoth('4/create/stored', async (server, create) => {
      const sent = await create.valid(server, extraOf(create));
      const data = await server.partner.data('POST', create.path, { body: sent });
      expectFields(await create.read(server.partner, sent, data), sent);
    });

    inBoth('4/create/readable-at-once', async (server, create) => {
      const contractor = create === createDeal && { [create.email]: await server.registered() };
      for (let round = 0; round < 5; round += 1) {
        const { sent, data } = await created(server, create, { ...contractor });
        expectFields(await create.read(server.partner, sent, data), {
          partner_id: sent['partner_id'],
        });
      }
    });

    for (const [id, text] of entriesOf(texts)) {
      inBoth(id, async (server, create) => {
        const changes = { [create.text]: text, description: text };
        expectFields(await stored(server, create, changes), changes);
      });
    }

    inBoth('1.2/create/long-text-kept', async (server, create) => {
      const description = 'long \u20ac 😀  '.repeat(2000);
      expectFields(await stored(server, create, { description }), { description });
    });

    inBoth('1.2/create/email-kept', async (server, create) => {
      const email = server.email('Some.User').replace('example.com', 'Example.COM');
      if (create === createDeal) {
        const body = server.contractor({ email });
        await server.partner.data('POST', '/api/1.0/contractor/', { body });
      }
      const changes = { [create.email]: email };
      expectFields(await stored(server, create, changes), changes);
    });

    inBoth('1.5/create/currency-kept', async (server, create) => {
      for (const currency of ['pLn', '€ ¥', '💶💷💴']) {
        expectFields(await stored(server, create, { currency }), { currency });
      }
    });

    for (const [id, pairs] of entriesOf(money)) {
      inBoth(id, (server, create) => expectMoney(server, create, pairs));
    }

    define('1.4/create/money-negative', async (server) => {
      const pairs = [
        ['-5', '-5.00'],
        ['-0.01', '-0.01'],
        ['0', '0.00'],
      ] as const;
      await expectMoney(server, createDeal, pairs);
    });

    define('1.4/create/money-no-minus-zero', async (server) => {
      const pairs = [
        ['-0', '0.00'],
        ['-.00', '0.00'],
      ] as const;
      await expectMoney(server, createDeal, pairs);
    });

    define('1.6/create/work-days', async (server) => {
      for (const work_days of [0, -1, 2 ** 31, largest, -largest]) {
        expectFields(await stored(server, createDeal, { work_days }), { work_days });
      }
    });

    inBoth('1.6/create/integral-number', async (server, create) => {
      const sent = await create.valid(server);
      const written = `"${create.subcategory}":${server.subcategory}`;
      const raw = JSON.stringify(sent).replace(written, `${written}.0`);
      const headers = { 'content-type': 'application/json' };
      const reply = await server.partner.send('POST', create.path, { raw, headers });
      expectStatus(reply, 201);
    });

    define('1.10/create/work-days-default', async (server) => {
      const deal = await stored(server, createDeal, { work_days: undefined });
      equal(deal['work_days'], 30, 'the member work_days');
    });

    define('3/create/choices-kept', async (server) => {
      for (const copyright_transfer of ['full_transfer', 'license', 'none']) {
        for (const freelancer_language of ['pl', 'en']) {
          const changes = { copyright_transfer, freelancer_language };
          expectFields(await stored(server, createDealV2, changes), changes);
        }
      }
    });
  },
);

/** Values that are not the default of any field. */
function extraOf(create: DealCreate): Members {
  return create === createDeal
    ? { work_days: 12, currency: 'CHF' }
    : { copyright_transfer: 'license', freelancer_language: 'en', currency: 'CHF' };
}

function expectFields(deal: Members, expected: Members): void {
  for (const [name, value] of Object.entries(expected))
    equal(deal[name], value, `the field ${name}`);
}

async function expectMoney(
  server: Server,
  create: DealCreate,
  pairs: readonly (readonly [sent: string, stored: string])[],
): Promise<void> {
  const contractor = create === createDeal && { [create.email]: await server.registered() };
  for (const [sent, expected] of pairs) {
    const deal = await stored(server, create, { ...contractor, [create.money]: sent });
    equal(deal[create.money], expected, `the ${create.money} that was sent as ${sent}`);
  }
}
