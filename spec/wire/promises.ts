import { exampleDealV2 } from '../examples.js';
import { check, equal, show } from '../expectations.js';
import { notApplicable } from '../laws.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Members,
  type Server,
} from './server.js';

const path = '/api/2.0/';

const retrieve = ({ partner }: Server) => partner.data('GET', path);

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const areTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isText);
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);

/** The members of the decision, and what each is. */
const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  versions: (value) => areTexts(value) && (value as unknown[]).every(isOneOf('1.0', '2.0')),
  environment: isOneOf('production', 'sandbox'),
  mode: isOneOf('invoice', 'prepaid'),
  profile: isText,
  contractor_scope: isOneOf('environment', 'partner'),
  copyright_transfer: areTexts,
  freelancer_language: areTexts,
  max_file_size: isCount,
  max_body_size: isCount,
  takes_fees: isOneOf(true, false),
};

const textsOf = (promises: Members, name: string) => promises[name] as readonly string[];

/** Creates a deal of version 2.0 whose field has each value of a set, and one that is not in it. */
async function tryValues(server: Server, field: string, values: readonly string[], code: string) {
  for (const value of values.slice(0, 5)) {
    const body = server.dealV2({ [field]: value });
    expectStatus(await server.partner.send('POST', '/api/2.0/deal/', { body }), 201);
  }
  const other = ['zzz', 'zzy', 'zzx'].find((each) => !values.includes(each));
  const body = server.dealV2({ [field]: other });
  const refused = await server.partner.send('POST', '/api/2.0/deal/', { body });
  expectIssues(refused, { path: [field], code });
}

/** Decision 11.5: what a service promises, and that it keeps it. */
export const promises = group(
  'what a service promises',
  {
    must: {
      '11.5/promises/members':
        'The promises of a service are `versions`, `environment`, `mode`, `profile`, `contractor_scope`, `copyright_transfer`, `freelancer_language`, `max_file_size`, `max_body_size` and `takes_fees`.',
      '11.5/promises/token': 'Promises are told to the bearer of a token alone.',
      '11.5/promises/operator': 'An operator is told the same promises as a partner.',
      '11.5/promises/freelancer': 'A freelancer is told the same promises as a partner.',
      '11.5/promises/versions': 'A version is served if it is promised, and else it is not.',
      '11.5/promises/copyright-transfer':
        '`copyright_transfer` of a deal has one of the promised values.',
      '11.5/promises/freelancer-language':
        '`freelancer_language` of a deal has one of the promised values.',
      '11.5/promises/currencies': 'If currencies are promised, a deal has one of them.',
      '11.5/promises/fees': 'A deal has no fees, unless the service promises that it takes some.',
      '11.5/promises/mode':
        'The employer is asked to pay on acceptance if the mode is `prepaid`, and not yet if it is `invoice`.',
      '11.5/promises/contractor-scope':
        'A contractor of another partner is known if the scope is `environment`, and unknown if it is `partner`.',
    },
  },
  (define) => {
    define('11.5/promises/members', async (server) => {
      const promised = await retrieve(server);
      for (const [name, is] of Object.entries(members)) {
        check(is(promised[name]), `the member ${name}\n  actual: ${show(promised[name])}`);
      }
      const { currencies } = promised;
      check(
        currencies === undefined || areTexts(currencies),
        `currencies are texts\n  actual: ${show(currencies)}`,
      );
    });

    define('11.5/promises/token', async ({ anonymous }) => {
      expectError(await anonymous.send('GET', path), 401, 'unauthorized');
      const authorization = 'Offer a-token-that-no-deal-has-at-all-00000000';
      const unknown = await anonymous.send('GET', path, { headers: { authorization } });
      expectError(unknown, 401, 'unauthorized');
    });

    define('11.5/promises/operator', async (server) => {
      // a server without operators has no such path, and nothing is judged
      await server.operator.data('GET', '/operator/summary/');
      equal(await server.operator.data('GET', path), await retrieve(server), 'the promises');
    });

    define('11.5/promises/freelancer', async (server) => {
      const { freelancer } = await server.makeDealV2();
      equal(await freelancer.data('GET', path), await retrieve(server), 'the promises');
    });

    define('11.5/promises/versions', async (server) => {
      const promised = textsOf(await retrieve(server), 'versions');
      const places = { '1.0': '/api/1.0/contractor/', '2.0': '/api/2.0/deal/' };
      for (const [version, place] of Object.entries(places)) {
        const { status } = await server.partner.send('POST', place, { body: {} });
        equal(
          status,
          promised.includes(version) ? 400 : 404,
          `the status of ${place} without a member`,
        );
      }
    });

    define('11.5/promises/copyright-transfer', async (server) => {
      const values = textsOf(await retrieve(server), 'copyright_transfer');
      await tryValues(server, 'copyright_transfer', values, 'not_allowed');
    });

    define('11.5/promises/freelancer-language', async (server) => {
      const values = textsOf(await retrieve(server), 'freelancer_language');
      await tryValues(server, 'freelancer_language', values, 'not_allowed');
    });

    define('11.5/promises/currencies', async (server) => {
      const { currencies } = await retrieve(server);
      if (currencies === undefined) notApplicable('it promises no currencies');
      await tryValues(server, 'currency', currencies as string[], 'unknown_currency');
    });

    define('11.5/promises/fees', async (server) => {
      if ((await retrieve(server))['takes_fees'] === true) notApplicable('it takes fees');
      const { partner_id } = await server.makeDealV2();
      const deal = await server.partner.data('GET', `/api/2.0/deal/${partner_id}/`);
      const { employer_fee, total } = Object(deal['billing']);
      equal([employer_fee, total], ['0.00', exampleDealV2.amount], 'the fee and the total');
    });

    define('11.5/promises/mode', async (server) => {
      const { mode } = await retrieve(server);
      const { partner_id, freelancer } = await server.makeDealV2();
      await freelancer.data('POST', '/api/2.0/offer/accept/');
      const { billing } = await server.partner.data('GET', `/api/2.0/deal/${partner_id}/`);
      const asked = Object(billing).employer_payments;
      equal(
        Array.isArray(asked) && asked.length,
        mode === 'prepaid' ? 1 : 0,
        'the payments asked for',
      );
    });

    define('11.5/promises/contractor-scope', async (server) => {
      const { contractor_scope } = await retrieve(server);
      const contractor = server.contractor();
      await server.other.data('POST', '/api/1.0/contractor/', { body: contractor });
      const body = server.deal({ contractor_email: contractor['email'] });
      const made = await server.partner.send('POST', '/api/1.0/deal/', { body });
      if (contractor_scope === 'environment') return expectStatus(made, 201);
      expectIssues(made, { path: ['contractor_email'], code: 'unknown_contractor' });
    });
  },
);
