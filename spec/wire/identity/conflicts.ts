import { check, equal, show } from '../../expectations.js';
import {
  type Create,
  createContractor,
  createDeal,
  createDealV2,
  created,
  type DealCreate,
  dealCreates,
  inEachCreate,
  inEachDeal,
} from '../creates/create.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Json,
  type Members,
  membersOf,
  type Reply,
  type Server,
} from '../server.js';

/** Decisions 2.2, 2.3 and 2.7: a name is given once, and in which order a create is judged. */
export const conflicts = group(
  'names that exist',
  {
    must: {
      'i/identity/exists': 'A second create of the same `partner_id` or address is 409.',
      '5.1/identity/exists-code':
        'The 409 of a second create has the code `contractor_exists` or `deal_exists`.',
      '2.2/identity/exists-with-other-input':
        'A second create of the same `partner_id` or address is 409, even if all other fields differ.',
      '2.2/identity/first-stays':
        'A create that is refused with 409 changes nothing of the first deal.',
      '2.2/identity/across-versions': 'A `partner_id` names one deal across both versions.',
      '2.2/identity/stays-taken': 'The `partner_id` of a deal that has ended is still taken.',
      '2.2/identity/race':
        'Of concurrent creates of one `partner_id` or address, one succeeds and the others are 409.',
      '2.2/identity/race-across-versions':
        'Of concurrent creates of one `partner_id` in both versions, one succeeds.',
      '2.7/identity/invalid-before-exists':
        'An invalid create is 400, even if its `partner_id` or address exists.',
      '2.7/identity/exists-before-contractor':
        'A deal whose `partner_id` exists is 409, even if its contractor is unknown.',
      '2.7/identity/refused-stores-nothing':
        'A create that was refused leaves its `partner_id` or address free.',
      '5.1/identity/unknown-contractor':
        'A deal for an unknown contractor is 400 with the issue `unknown_contractor` of its address.',
      '5.1/identity/unknown-subcategory':
        'A deal of an unknown subcategory is 400 with the issue `unknown_subcategory`.',
      '1.8/identity/subcategory-beside-others':
        'An unknown subcategory is reported together with the other issues of a deal.',
      '1.8/identity/contractor-beside-others':
        'An unknown contractor hides no other issue of a deal.',
      'i1.0/identity/contractor-first':
        'A deal that was refused for an unknown contractor succeeds once the contractor exists.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);
    const inBoth = inEachDeal(define);

    inEach('i/identity/exists', async (server, create) => {
      const { sent } = await created(server, create);
      expectStatus(await server.partner.send('POST', create.path, { body: sent }), 409);
    });

    inEach('5.1/identity/exists-code', async (server, create) => {
      const { sent } = await created(server, create);
      const reply = await server.partner.send('POST', create.path, { body: sent });
      equal(reply.members()['code'], create.exists, 'the code of the error');
    });

    inEach('2.2/identity/exists-with-other-input', async (server, create) => {
      const { sent } = await created(server, create);
      const body = { ...(await otherOf(server, create)), [create.naming]: sent[create.naming] };
      expectExists(await server.partner.send('POST', create.path, { body }), create);
    });

    inBoth('2.2/identity/first-stays', async (server, create) => {
      const { sent, data } = await created(server, create);
      const before = await create.read(server.partner, sent, data);
      const body = { ...(await otherOf(server, create)), partner_id: sent['partner_id'] };
      expectExists(await server.partner.send('POST', create.path, { body }), create);
      equal(await create.read(server.partner, sent, data), before, 'the first deal');
    });

    for (const [first, second] of [
      [createDeal, createDealV2],
      [createDealV2, createDeal],
    ] as const) {
      define(
        '2.2/identity/across-versions',
        async (server) => {
          const { partner_id } = (await created(server, first)).sent;
          const body = await second.valid(server, { partner_id });
          expectExists(await server.partner.send('POST', second.path, { body }), second);
        },
        `${first.name} first`,
      );
    }

    inBoth('2.2/identity/stays-taken', async (server, create) => {
      const { sent } = await created(server, create);
      const path = `/api/2.0/deal/${sent['partner_id']}/cancel/`;
      await server.partner.data('POST', path, { body: {} });
      expectExists(await server.partner.send('POST', create.path, { body: sent }), create);
    });

    inEach('2.2/identity/race', async (server, create) => {
      const body = await create.valid(server);
      await expectOneWinner(
        server,
        Array.from({ length: 8 }, () => [create, body] as const),
      );
    });

    define('2.2/identity/race-across-versions', async (server) => {
      const partner_id = server.name();
      const bodies = await Promise.all(
        [...dealCreates, ...dealCreates, ...dealCreates].map(
          async (create) => [create, await create.valid(server, { partner_id })] as const,
        ),
      );
      await expectOneWinner(server, bodies);
    });

    inEach('2.7/identity/invalid-before-exists', async (server, create) => {
      const { sent } = await created(server, create);
      const body = { ...sent, [create.text]: '' };
      const reply = await server.partner.send('POST', create.path, { body });
      expectIssues(reply, { path: [create.text], code: 'too_short' });
    });

    define('2.7/identity/exists-before-contractor', async (server) => {
      const { sent } = await created(server, createDeal);
      const body = { ...sent, contractor_email: server.email('unknown') };
      expectExists(await server.partner.send('POST', createDeal.path, { body }), createDeal);
    });

    inEach('2.7/identity/refused-stores-nothing', async (server, create) => {
      const body = await create.valid(server);
      const invalid = { ...body, [create.text]: '' };
      expectStatus(await server.partner.send('POST', create.path, { body: invalid }), 400);
      expectStatus(await server.partner.send('POST', create.path, { body }), 201);
    });

    define('5.1/identity/unknown-contractor', async (server) => {
      const body = server.deal({ contractor_email: server.email('unknown') });
      const reply = await server.partner.send('POST', createDeal.path, { body });
      expectIssues(reply, { path: ['contractor_email'], code: 'unknown_contractor' });
    });

    inBoth('5.1/identity/unknown-subcategory', async (server, create) => {
      for (const id of [unknownSubcategory, 0, -1]) {
        const body = await create.valid(server, { [create.subcategory]: id });
        const reply = await server.partner.send('POST', create.path, { body });
        expectIssues(reply, { path: [create.subcategory], code: 'unknown_subcategory' });
      }
    });

    inBoth('1.8/identity/subcategory-beside-others', async (server, create) => {
      const reply = await server.partner.send('POST', create.path, {
        body: await create.valid(server, {
          [create.subcategory]: unknownSubcategory,
          [create.text]: '',
          [create.money]: 'much',
        }),
      });
      const paths = issuesOf(reply).map(({ path }) => show(path));
      const expected = [create.subcategory, create.text, create.money].map((each) => show([each]));
      equal([...paths].sort(), expected.sort(), 'the paths of the issues');
    });

    define('1.8/identity/contractor-beside-others', async (server) => {
      const body = server.deal({ contractor_email: server.email('unknown'), name: '' });
      const issues = issuesOf(await server.partner.send('POST', createDeal.path, { body }));
      const codes = issues.map(({ code }) => code);
      check(codes.includes('too_short'), `the name is reported\n  actual: ${show(codes)}`);
    });

    define('i1.0/identity/contractor-first', async (server) => {
      const contractor = server.contractor();
      const body = server.deal({ contractor_email: contractor['email'] });
      expectStatus(await server.partner.send('POST', createDeal.path, { body }), 400);
      await server.partner.data('POST', createContractor.path, { body: contractor });
      expectStatus(await server.partner.send('POST', createDeal.path, { body }), 201);
    });
  },
);

const unknownSubcategory = Number.MAX_SAFE_INTEGER;

/** A valid body in which all fields that are free differ from a plain one. */
async function otherOf(server: Server, create: Create): Promise<Members> {
  const changes: Readonly<Record<string, Members>> = {
    [createContractor.name]: {
      name: 'Other',
      surname: 'Another',
      street: 'Elsewhere',
      city: 'Far',
    },
    [createDeal.name]: { name: 'Other', description: 'Another', budget: '1.00', currency: 'CHF' },
    [createDealV2.name]: {
      title: 'Other',
      description: 'Another',
      amount: '1.00',
      currency: 'CHF',
    },
  };
  return create.valid(server, changes[create.name]);
}

function expectExists(reply: Reply, create: Create): void {
  expectError(reply, 409, create.exists);
}

async function expectOneWinner(
  { partner }: Server,
  bodies: readonly (readonly [create: Create | DealCreate, body: Members])[],
): Promise<void> {
  const replies = await Promise.all(
    bodies.map(async ([create, body]) => {
      const reply = await partner.send('POST', create.path, { body });
      if (reply.status !== 201) expectExists(reply, create);
      return reply;
    }),
  );
  equal(replies.filter(({ status }) => status === 201).length, 1, 'the number of successes');
}

function issuesOf(reply: Reply): readonly Members[] {
  const errors: Json = expectError(reply, 400, 'validation_failed')['errors'];
  check(Array.isArray(errors), `the member errors is an array\n  actual: ${show(errors)}`);
  return errors.map((each) => membersOf(each, 'an issue'));
}
