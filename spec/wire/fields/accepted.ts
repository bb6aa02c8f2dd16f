import * as fc from 'fast-check';
import { equal, holds } from '../../expectations.js';
import { type CaseFileName, readCases } from '../case-files.js';
import {
  expectIssues,
  expectStatus,
  group,
  type Members,
  membersOf,
  type Server,
} from '../server.js';
import { about } from './judging.js';
import { type Answered, createSender } from './sender.js';

/** ISO 3166-1 and XK, as the interface lists them. */
const countries =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO
BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC
EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN
HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR
LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH
SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US
UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s/);

/** Sections 1 and 3: what is accepted, and how it is shown. */
export const accepted = group(
  'accepted values',
  {
    must: {
      '1.2/fields/code-points':
        'A `partner_id` may have 40 characters that UTF-16 counts twice, and not 41.',
      '1.3/fields/email-stored':
        'A record can be made for an address with any sign, and of the greatest lengths.',
      '1.3/fields/email-any':
        'Every address that fast-check generates is accepted, within the lengths.',
      '1.4/fields/money-canonical':
        'Money is shown with two decimals, without zeros in front, and never as `-0.00`.',
      '1.9/fields/countries': 'Each of the 250 country codes of the interface is accepted.',
      '1.10/fields/work-days-default': 'A deal without `work_days` is shown with 30.',
      'i1.0/deal/contractor_email/exists':
        'A deal for a contractor that does not exist is refused.',
    },
    should: {
      '7.2/fields/webhook-defaults':
        'A webhook is shown with each type once, and is not ordered unless it says so.',
    },
  },
  (define) => {
    for (const [id, name, members] of [
      ['1.4/fields/money-canonical', 'create-deal', ['budget']],
      ['1.4/fields/money-canonical', 'create-deal-v2', ['amount']],
      ['1.4/fields/money-canonical', 'operator-resolve', ['agreed_amount']],
      ['1.4/fields/money-canonical', 'operator-record-employer-payment', ['amount']],
      ['1.10/fields/work-days-default', 'create-deal', ['work_days']],
      ['7.2/fields/webhook-defaults', 'create-webhook', ['types', 'ordered']],
    ] as const) {
      define(id, (server) => expectShown(server, name, members), name);
    }

    const longNames = {
      'deal 1.0': async (server: Server, partner_id: string) => {
        const body = server.deal({ partner_id, contractor_email: await server.registered() });
        return server.partner.send('POST', '/api/1.0/deal/', { body });
      },
      'deal 2.0': (server: Server, partner_id: string) =>
        server.partner.send('POST', '/api/2.0/deal/', { body: server.dealV2({ partner_id }) }),
    };
    for (const [variant, create] of Object.entries(longNames)) {
      define(
        '1.2/fields/code-points',
        async (server) => {
          const long = (length: number) => {
            const own = server.name();
            return own + '\u{1f4dd}'.repeat(length - own.length);
          };
          expectStatus(await create(server, long(40)), 201);
          const issue = { path: ['partner_id'], code: 'too_long' };
          expectIssues(await create(server, long(41)), issue);
        },
        variant,
      );
    }

    const stored = {
      contractor: async (server: Server, email: string) => {
        const body = server.contractor({ email });
        expectStatus(await server.partner.send('POST', '/api/1.0/contractor/', { body }), 201);
      },
      'deal 2.0': async (server: Server, email_freelancer: string) => {
        const body = server.dealV2({ email_freelancer });
        expectStatus(await server.partner.send('POST', '/api/2.0/deal/', { body }), 201);
      },
    };
    for (const [variant, store] of Object.entries(stored)) {
      define(
        '1.3/fields/email-stored',
        async (server) => {
          for (const form of emails) await store(server, form(server.name('mail')));
        },
        variant,
      );
    }

    for (const [variant, path, field, spare] of [
      ['contractor', '/api/1.0/contractor/', 'email', 'city'],
      ['deal 1.0', '/api/1.0/deal/', 'contractor_email', 'description'],
      ['deal 2.0', '/api/2.0/deal/', 'email_freelancer', 'description'],
    ] as const) {
      define(
        '1.3/fields/email-any',
        async ({ partner, random, contractor, deal, dealV2 }) => {
          const valid = { contractor, 'deal 1.0': deal, 'deal 2.0': dealV2 }[variant];
          const property = fc.asyncProperty(addresses, async (address) => {
            // one more member is missing, so that nobody is registered under it
            const body = valid({ [field]: address, [spare]: undefined });
            const issue = { path: [spare], code: 'required' };
            expectIssues(await partner.send('POST', path, { body }), issue);
          });
          await holds(property, random);
        },
        variant,
      );
    }

    define('1.9/fields/countries', async ({ partner, contractor }) => {
      for (const country_code of countries) {
        const body = contractor({ country_code, city: undefined });
        const issue = { path: ['city'], code: 'required' };
        expectIssues(await partner.send('POST', '/api/1.0/contractor/', { body }), issue);
      }
    });

    define('i1.0/deal/contractor_email/exists', async ({ partner, deal, email }) => {
      const body = deal({ contractor_email: email('unknown') });
      const issue = { path: ['contractor_email'], code: 'unknown_contractor' };
      expectIssues(await partner.send('POST', '/api/1.0/deal/', { body }), issue);
    });
  },
);

/** Addresses with a name of the run in them. */
const emails: readonly ((name: string) => string)[] = [
  (name) => `${name}.o'brien@example.com`,
  (name) => `${name}.Name+tag@Example.COM`,
  (name) => `.${name}..@example.com`,
  (name) => `${name}!#$%&'*+/=?^_\`{|}~-@example.com`,
  (name) => `${name}@b`,
  (name) => `${name.padEnd(64, 'l')}@example.com`,
  (name) => `${name}@${'d'.repeat(63)}.${'d'.repeat(63)}.com`,
  (name) => `${name.padEnd(64, 'l')}@${`${'d'.repeat(61)}.`.repeat(3)}com`,
];

const addresses = fc
  .emailAddress({ size: 'large' })
  .filter((each) => each.length <= 254 && each.indexOf('@') <= 64);

/** Sends the cases about these members whose values are shown in another form. */
async function expectShown(
  server: Server,
  name: CaseFileName,
  members: readonly string[],
): Promise<void> {
  const file = await readCases(name);
  const sender = createSender(server, file);
  for (const dataCase of file.cases) {
    const { id, canonical = {} } = dataCase;
    if (!members.some((member) => member in canonical && id.startsWith(`${member}/`))) continue;
    const answered = await sender.send(dataCase);
    const shown = await shownBy(server, name, answered);
    await about(name, dataCase, () => {
      for (const [member, value] of Object.entries(canonical)) {
        equal(shown[member], value, `the member ${member}`);
      }
    });
  }
}

/** The record with the members that were sent. */
async function shownBy(
  { partner }: Server,
  name: CaseFileName,
  { reply, sent }: Answered,
): Promise<Members> {
  const data = membersOf(reply.members()['data'], 'the member data of the answer');
  if (name === 'create-deal') return partner.data('GET', `/api/1.0/deal/${data['id']}/`);
  if (name === 'create-deal-v2') {
    const { partner_id } = membersOf(sent, 'the body of a case');
    return partner.data('GET', `/api/2.0/deal/${partner_id}/`);
  }
  if (name !== 'operator-record-employer-payment') return data;
  const { employer_payments } = membersOf(data['billing'], 'the member billing');
  return membersOf(Array.isArray(employer_payments) && employer_payments.at(-1), 'a payment');
}
