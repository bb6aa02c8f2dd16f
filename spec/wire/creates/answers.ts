import { check, equal, show } from '../../expectations.js';
import { expectStatus, group, type Json, type Members, type Server } from '../server.js';
import {
  type Create,
  createContractor,
  createDeal,
  createDealV2,
  created,
  creates,
  inEachCreate,
} from './create.js';

/** The members of `data`, by the name of the create. */
const members: Readonly<Record<string, readonly string[]>> = {
  [createContractor.name]: ['contractor_email'],
  [createDeal.name]: ['id', 'stage_ids'],
  [createDealV2.name]: ['freelancer_status', 'payment_token', 'status'],
};

/** The interface: what a create answers. */
export const createAnswers = group(
  'answers to creates',
  {
    must: {
      'i/create/status': 'A create that succeeds is 201.',
      'i/create/members':
        'The member `data` of the answer to a create has the members of the interface and no others.',
      'i1.0/create/success':
        'The member `success` of the answer to a create of version 1.0 is true, if it is there.',
      'i1.0/create/contractor-email':
        'The answer to a registration has the address as it was sent, in its own case.',
      '2.4/create/deal-id': 'The id of a new deal of version 1.0 is an integer from 1 to 2^53-1.',
      '2.4/create/stage-ids':
        'A new deal of version 1.0 has at least one stage, with integers from 1 to 2^53-1 as ids.',
      '2.4/create/deal-ids-differ': 'Each deal of version 1.0 has an id of its own.',
      '2.4/create/stage-ids-differ': 'Each stage of all deals has an id of its own.',
      'i2.0/create/status-of-deal': 'A new deal of version 2.0 has the status `created`.',
      'i2.0/create/status-of-freelancer':
        'A new deal of version 2.0 has the freelancer status `new`.',
      '3/create/any-freelancer':
        'A deal of version 2.0 can be created for an address that no contractor has.',
    },
  },
  (define) => {
    const defineEach = inEachCreate(define);

    defineEach('i/create/status', async (server, create) => {
      const body = await create.valid(server);
      expectStatus(await server.partner.send('POST', create.path, { body }), 201);
    });

    defineEach('i/create/members', async (server, create) => {
      const { data } = await created(server, create);
      equal(Object.keys(data).sort(), members[create.name], 'the members of data');
    });

    for (const create of creates.filter(({ path }) => path.startsWith('/api/1.0/'))) {
      define('i1.0/create/success', (server) => checkSuccess(server, create), create.name);
    }

    define('i1.0/create/contractor-email', async (server) => {
      const email = server.email('Some.User').replace('example.com', 'Example.COM');
      const { data } = await created(server, createContractor, { email });
      equal(data['contractor_email'], email, 'the address in the answer');
    });

    define('2.4/create/deal-id', async (server) => {
      const { id } = (await created(server, createDeal)).data;
      check(isId(id), `the id is an integer from 1 to 2^53-1\n  actual: ${show(id)}`);
    });

    define('2.4/create/stage-ids', async (server) => {
      const ids = stageIdsOf((await created(server, createDeal)).data);
      check(ids.length > 0, 'there is a stage');
      check(ids.every(isId), `the ids are integers from 1 to 2^53-1\n  actual: ${show(ids)}`);
    });

    define('2.4/create/deal-ids-differ', async (server) => {
      expectDifferent((await severalDeals(server)).map(({ id }) => id));
    });

    define('2.4/create/stage-ids-differ', async (server) => {
      expectDifferent((await severalDeals(server)).flatMap(stageIdsOf));
    });

    define('i2.0/create/status-of-deal', async (server) => {
      const { status } = (await created(server, createDealV2)).data;
      equal(status, 'created', 'the member status');
    });

    define('i2.0/create/status-of-freelancer', async (server) => {
      const { freelancer_status } = (await created(server, createDealV2)).data;
      equal(freelancer_status, 'new', 'the member freelancer_status');
    });

    define('3/create/any-freelancer', async (server) => {
      const body = await createDealV2.valid(server, { email_freelancer: server.email('stranger') });
      expectStatus(await server.partner.send('POST', createDealV2.path, { body }), 201);
    });
  },
);

async function checkSuccess(server: Server, create: Create): Promise<void> {
  const body = await create.valid(server);
  const { success = true } = (await server.partner.send('POST', create.path, { body })).members();
  equal(success, true, 'the member success');
}

/** What the creates of some deals answered: one after the other, and at the same time. */
async function severalDeals(server: Server): Promise<readonly Members[]> {
  const contractor_email = await server.registered();
  const make = async () => (await created(server, createDeal, { contractor_email })).data;
  const first = [await make(), await make()];
  return [...first, ...(await Promise.all([make(), make(), make(), make()]))];
}

function stageIdsOf({ stage_ids }: Members): readonly Json[] {
  check(Array.isArray(stage_ids), `stage_ids is an array\n  actual: ${show(stage_ids)}`);
  return stage_ids;
}

function expectDifferent(ids: readonly Json[]): void {
  check(new Set(ids).size === ids.length, `the ids differ\n  actual: ${show(ids)}`);
}

function isId(value: Json): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
