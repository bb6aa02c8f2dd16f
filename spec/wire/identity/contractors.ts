import { check, equal } from '../../expectations.js';
import { createContractor, createDeal, created } from '../creates/create.js';
import { expectError, expectStatus, group, type Server, textOf, withoutIds } from '../server.js';

/** Decisions 1.3 and 2.3: who a contractor is, and who knows it. */
export const contractors = group(
  'contractors',
  {
    must: {
      '1.3/identity/one-in-any-case':
        'Addresses that differ in ASCII case alone are one contractor.',
      '1.3/identity/commission-in-any-case':
        'A deal finds its contractor by the address in any ASCII case.',
      '1.3/identity/other-addresses':
        'Addresses that differ in a dot or a tag before the `@` are different contractors.',
      '2.3/identity/for-every-partner':
        'A partner can create a deal for a contractor that another partner registered.',
      '2.3/identity/exists-for-every-partner':
        'A contractor that another partner registered is 409 `contractor_exists`.',
      '2.3/identity/no-registrar':
        'The 409 of a contractor is the same for the partner that registered it and for another one.',
      '2.3/identity/unread':
        'A deal shows nothing of its contractor but the address, not even the bank account.',
    },
  },
  (define) => {
    define('1.3/identity/one-in-any-case', async (server) => {
      const email = server.email('User');
      await created(server, createContractor, { email });
      for (const written of [email.toLowerCase(), email.toUpperCase(), email.replace('e', 'E')]) {
        const body = server.contractor({ email: written });
        const reply = await server.partner.send('POST', createContractor.path, { body });
        expectError(reply, 409, 'contractor_exists');
      }
    });

    define('1.3/identity/commission-in-any-case', async (server) => {
      const email = server.email('User');
      await created(server, createContractor, { email });
      for (const contractor_email of [email, email.toLowerCase(), email.toUpperCase()]) {
        const body = server.deal({ contractor_email });
        expectStatus(await server.partner.send('POST', createDeal.path, { body }), 201);
      }
    });

    define('1.3/identity/other-addresses', async (server) => {
      const name = server.name('user');
      for (const local of [
        `${name}ab`,
        `${name}a.b`,
        `${name}ab+tag`,
        `${name}a_b`,
        `${name}a-b`,
      ]) {
        const body = server.contractor({ email: `${local}@example.com` });
        expectStatus(await server.partner.send('POST', createContractor.path, { body }), 201);
      }
    });

    define('2.3/identity/for-every-partner', async (server) => {
      const body = server.deal({ contractor_email: await server.registered() });
      expectStatus(await server.other.send('POST', createDeal.path, { body }), 201);
    });

    define('2.3/identity/exists-for-every-partner', async (server) => {
      expectError((await conflictsOf(server)).foreign, 409, 'contractor_exists');
    });

    define('2.3/identity/no-registrar', async (server) => {
      const { own, foreign } = await conflictsOf(server);
      equal(withoutIds(foreign), withoutIds(own), 'the error');
    });

    define('2.3/identity/unread', async (server) => {
      const contractor = server.contractor({ surname: 'Unread-Surname', street: 'Unread-Street' });
      await server.partner.data('POST', createContractor.path, { body: contractor });
      const body = server.deal({ contractor_email: contractor['email'] });
      const { id } = await server.other.data('POST', createDeal.path, { body });
      const text = textOf(await server.other.send('GET', `/api/1.0/deal/${id}/`));
      check(text.includes(String(contractor['email'])), `the deal is shown\n  actual: ${text}`);
      for (const field of ['surname', 'street', 'bank_account_iban', 'tax_id']) {
        check(!text.includes(String(contractor[field])), `${field} is hidden\n  actual: ${text}`);
      }
    });
  },
);

/** The refusals of one address: to the partner that registered it, and to the other. */
async function conflictsOf(server: Server) {
  const { sent: body } = await created(server, createContractor);
  return {
    own: await server.partner.send('POST', createContractor.path, { body }),
    foreign: await server.other.send('POST', createContractor.path, { body }),
  };
}
