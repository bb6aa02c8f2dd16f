import { check, show } from '../expectations.js';
import { expectStatus, group, type Reply } from './server.js';
import { inEachVersion } from './versions.js';

/** Decision 1.8: an error never says what was sent. */
export const secrecy = group(
  'errors and submitted values',
  {
    must: {
      '1.8/errors/no-value': 'A validation error does not repeat a value that breaks a rule.',
      '1.8/errors/no-value-unknown':
        'An error about an unknown contractor does not repeat its address.',
      '1.8/errors/no-value-exists':
        'An error about a record that exists already does not repeat what names it.',
      '1.8/errors/no-value-json': 'An error about a body that is not JSON does not quote the body.',
      '1.8/errors/no-token': 'A 401 does not repeat the token of the request.',
    },
  },
  (define) => {
    const defineInEach = inEachVersion(define);

    define(
      '1.8/errors/no-value',
      async ({ partner, name, contractor }) => {
        const value = name('secret');
        const long = `${value} is too long`;
        const body = contractor({
          email: value,
          country_code: value,
          postal_code: value,
          language: value,
          bank_account_currency: value,
          bank_account_iban: long.repeat(3),
          bank_account_bic: long,
          pesel: value,
          tax_id: long.repeat(3),
          name: [value],
          city: { value },
        });
        const reply = await partner.send('POST', '/api/1.0/contractor/', { body });
        expectSilent(reply, 400, value);
      },
      '1.0',
    );

    define(
      '1.8/errors/no-value',
      async ({ partner, name, dealV2 }) => {
        const value = name('secret');
        const body = dealV2({
          partner_id: value.repeat(10),
          email_freelancer: value,
          title: value.repeat(30),
          subcategory_id: value,
          amount: value,
          currency: value,
          copyright_transfer: value,
          freelancer_language: value,
          description: [value],
        });
        const reply = await partner.send('POST', '/api/2.0/deal/', { body });
        expectSilent(reply, 400, value);
      },
      '2.0',
    );

    define('1.8/errors/no-value-unknown', async ({ partner, email, deal }) => {
      const contractor_email = email('unknown');
      const body = deal({ contractor_email });
      const reply = await partner.send('POST', '/api/1.0/deal/', { body });
      expectSilent(reply, 400, contractor_email);
    });

    defineInEach('1.8/errors/no-value-exists', async (server, { create, valid }) => {
      const body = valid(server);
      expectStatus(await server.partner.send('POST', create, { body }), 201);
      const reply = await server.partner.send('POST', create, { body });
      const named = body['partner_id'] ?? body['email'];
      expectSilent(reply, 409, String(named));
    });

    defineInEach('1.8/errors/no-value-json', async ({ partner, name }, { create }) => {
      const headers = { 'content-type': 'application/json' };
      const value = name('secret');
      // parsers quote the place where they stopped
      for (const raw of [value, `{"email":"${value}"`, `{"email":${value}}`, `{} ${value}`]) {
        expectSilent(await partner.send('POST', create, { raw, headers }), 400, value);
      }
    });

    defineInEach('1.8/errors/no-token', async ({ anonymous, name }, { read }) => {
      const token = name('unknown-token');
      const headers = { authorization: `Token ${token}` };
      expectSilent(await anonymous.send('GET', read, { headers }), 401, token);
    });
  },
);

/** Fails the case if a member that is a text for people, or an issue, holds the value. */
function expectSilent(reply: Reply, status: number, value: string): void {
  expectStatus(reply, status);
  const { title, detail, errors } = reply.members();
  // a server may quote the beginning of a long value alone
  const seen = value.slice(0, 20);
  for (const [name, member] of Object.entries({ title, detail, errors })) {
    const isSilent = !(JSON.stringify(member) ?? '').includes(seen);
    check(isSilent, `the member ${name} does not hold ${seen}\n  actual: ${show(member)}`);
  }
}
