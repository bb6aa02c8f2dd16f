import { check, equal, show } from '../../expectations.js';
import { createDeal, created, entriesOf, stored } from '../creates/create.js';
import { stagesOf } from '../creates/stages.js';
import { expectError, expectStatus, group, type Server } from '../server.js';

const members = [
  ...['id', 'partner_id', 'contractor_email', 'name', 'description', 'budget', 'currency'],
  ...['work_days', 'sub_category_id', 'status', 'stages', 'billing', 'created_at'],
];

export const stageMembers = ['id', 'name', 'budget', 'work_days', 'status', 'work_files'];

/** Ids that name no deal, made from one that does. */
const noIds = {
  '4/details/zero-or-negative': (id) => ['0', '-0', '-1', `-${id}`],
  '4/details/huge': () => [`${2 ** 53}`, '9223372036854775808', '1'.padEnd(40, '0')],
  '4/details/fraction': (id) => [`${id}.5`, `${id}.`, '.5', '0.1'],
  '4/details/text': (id) => [`${id}x`, `x${id}`, `${id}e0`, `0x${id.toString(16)}`, 'NaN', 'null'],
  '4/details/blanks': (id) => ['%20', `%20${id}`, `${id}%20`, `${id}%0A`],
} as const satisfies Readonly<Record<string, (id: number) => readonly string[]>>;

/** Section 4: a deal of version 1.0 by its id. */
export const dealById = group(
  'a deal of version 1.0',
  {
    must: {
      '4/details/v1-status': 'A deal of version 1.0 is read by its id with 200.',
      '4/details/v1-success': 'The answer with a deal of version 1.0 has `success: true`.',
      '4/details/v1-members': 'A deal of version 1.0 has all members of section 4.',
      '4/details/v1-id': 'A deal of version 1.0 has the id by which it was read.',
      '4/details/v1-new': 'A new deal of version 1.0 has the status `created`.',
      '4/details/v1-stage-members': 'A stage of a deal has all members of section 4.',
      '6.1/details/stage-new': 'A stage of a new deal is `pending`.',
      '4/details/stage-files': 'A stage of a new deal has no work files: `work_files` is empty.',
      '4/details/v1-unknown': 'An id that no deal of version 1.0 has is 404.',
      '4/details/zero-or-negative': 'Zero and negative numbers name no deal: 404.',
      '4/details/huge': 'Numbers above 2^53-1 name no deal: 404.',
      '4/details/fraction': 'Numbers with a fraction name no deal: 404.',
      '4/details/text': 'Text that is not an integer names no deal: 404.',
      '4/details/blanks': 'An id with blanks names no deal: 404.',
      '4/details/v1-not-v2': 'The `partner_id` of a deal is no id of version 1.0: 404.',
    },
  },
  (define) => {
    define('4/details/v1-status', async (server) => {
      expectStatus(await read(server), 200);
    });

    define('4/details/v1-success', async (server) => {
      equal((await read(server)).members()['success'], true, 'the member success');
    });

    define('4/details/v1-members', async (server) => {
      expectMembers(await stored(server, createDeal), members);
    });

    define('4/details/v1-id', async (server) => {
      const { sent, data } = await created(server, createDeal);
      const { id } = await createDeal.read(server.partner, sent, data);
      equal(id, data['id'], 'the member id');
    });

    define('4/details/v1-new', async (server) => {
      equal((await stored(server, createDeal))['status'], 'created', 'the member status');
    });

    define('4/details/v1-stage-members', async (server) => {
      for (const stage of stagesOf(await stored(server, createDeal))) {
        expectMembers(stage, stageMembers);
      }
    });

    define('6.1/details/stage-new', async (server) => {
      for (const { status } of stagesOf(await stored(server, createDeal))) {
        equal(status, 'pending', 'the status of a stage');
      }
    });

    define('4/details/stage-files', async (server) => {
      for (const { work_files } of stagesOf(await stored(server, createDeal))) {
        equal(work_files, [], 'the work files of a stage');
      }
    });

    define('4/details/v1-unknown', async ({ partner }) => {
      const reply = await partner.send('GET', `/api/1.0/deal/${Number.MAX_SAFE_INTEGER}/`);
      expectError(reply, 404, 'not_found');
    });

    for (const [id, idsLike] of entriesOf(noIds)) {
      define(id, async (server) => {
        const deal = await server.makeDeal();
        for (const none of idsLike(deal.id)) {
          const reply = await server.partner.send('GET', `/api/1.0/deal/${none}/`);
          expectError(reply, 404, 'not_found');
        }
      });
    }

    define('4/details/v1-not-v2', async (server) => {
      const { partner_id } = await server.makeDeal();
      const reply = await server.partner.send('GET', `/api/1.0/deal/${partner_id}/`);
      expectError(reply, 404, 'not_found');
    });
  },
);

async function read(server: Server) {
  const { id } = await server.makeDeal();
  return server.partner.send('GET', `/api/1.0/deal/${id}/`);
}

/** Fails the case unless all these members are there. */
export function expectMembers(object: object, names: readonly string[]): void {
  const absent = names.filter((name) => !Object.hasOwn(object, name));
  check(absent.length === 0, `it has all members\n  missing: ${absent}\n  actual: ${show(object)}`);
}
