import { equal } from '../../expectations.js';
import { byId, createDealV2, created, entriesOf, inEachDeal } from '../creates/create.js';
import {
  expectError,
  expectStatus,
  group,
  type Members,
  type Server,
  withoutIds,
} from '../server.js';

/** A request about a deal: what follows the path of the deal, and the body. */
interface Asked {
  readonly method: string;
  readonly end: string;
  readonly body?: Members;
}

const file = { name: 'work.txt', content_type: 'text/plain', content: 'd29yaw==' };
const reason = { reason: 'A reason' };

const commands: readonly Asked[] = [
  ...['invite', 'accept', 'decline', 'deliver', 'approve', 'cancel', 'request-payment'].map(
    (name) => ({ method: 'POST', end: `${name}/`, body: {} }),
  ),
  { method: 'POST', end: 'request-changes/', body: reason },
  { method: 'POST', end: 'dispute/', body: reason },
];

/** Requests of a deal with a `partner_id`, by the law. */
const asked = {
  '2.5/identity/stranger-reads': [{ method: 'GET', end: '' }],
  '2.5/identity/stranger-lists-files': [{ method: 'GET', end: 'file/' }],
  '2.5/identity/stranger-uploads': [{ method: 'POST', end: 'file/', body: file }],
  '2.5/identity/stranger-reads-events': [{ method: 'GET', end: 'event/' }],
  '2.5/identity/stranger-commands': commands,
} as const satisfies Readonly<Record<string, readonly Asked[]>>;

/** The two forms of the path of a deal. */
const forms: readonly ((partnerId: string, end: string) => string)[] = [
  (partnerId, end) => `/api/2.0/deal/${partnerId}/${end}`,
  (partnerId, end) => `/api/2.0/deal/by-id/${end}?partner_id=${partnerId}`,
];

/** Decisions 2.1 and 2.5: the deals of another partner do not exist. */
export const strangers = group(
  'deals of another partner',
  {
    must: {
      '2.1/identity/own-names': 'Each partner can give the same `partner_id` to a deal of its own.',
      '2.1/identity/own-deal': 'Of deals with the same `partner_id`, each partner reads its own.',
      '2.5/identity/stranger-reads':
        "The details of a stranger's deal are answered as those of a deal that does not exist: 404.",
      '2.5/identity/stranger-reads-by-number':
        "A stranger's deal of version 1.0 is answered by its id as one that does not exist: 404.",
      '2.5/identity/stranger-lists-files':
        "The files of a stranger's deal are answered as those of a deal that does not exist: 404.",
      '2.5/identity/stranger-uploads':
        "A file for a stranger's deal is refused as one for a deal that does not exist: 404.",
      '2.5/identity/stranger-downloads':
        "A file of a stranger's deal is answered as a file that does not exist: 404.",
      '2.5/identity/stranger-reads-events':
        "The events of a stranger's deal are answered as those of a deal that does not exist: 404.",
      '2.5/identity/stranger-commands':
        "A command to a stranger's deal is refused as one to a deal that does not exist: 404.",
      '2.5/identity/stranger-commands-sandbox':
        "A command of the sandbox to a stranger's deal is refused as one to no existing deal: 404.",
      '2.1/identity/stranger-changes-nothing': 'Commands of another partner do not change a deal.',
    },
  },
  (define) => {
    inEachDeal(define)('2.1/identity/own-names', async (server, create) => {
      const { sent: body } = await created(server, create);
      expectStatus(await server.other.send('POST', create.path, { body }), 201);
    });

    define('2.1/identity/own-deal', async (server) => {
      const body = server.dealV2({ title: 'of the other' });
      const { partner_id } = body;
      await created(server, createDealV2, { partner_id, title: 'of the partner' });
      await server.other.data('POST', createDealV2.path, { body });
      for (const [caller, title] of [
        [server.partner, 'of the partner'],
        [server.other, 'of the other'],
      ] as const) {
        equal((await caller.data('GET', byId(partner_id)))['title'], title, 'the title');
      }
    });

    for (const [id, requests] of entriesOf(asked)) {
      for (const { method, end, body } of requests as readonly Asked[]) {
        for (const form of forms) {
          define(
            id,
            async (server) => {
              const { partner_id } = await server.makeDealV2();
              const path = (name: string) => form(name, end);
              await expectAbsent(server, method, path(partner_id), path(server.name()), body);
            },
            `${method} ${form('{partner_id}', end)}`,
          );
        }
      }
    }

    define(
      '2.5/identity/stranger-reads',
      async (server) => {
        const { partner_id } = await server.makeDeal();
        await expectAbsent(server, 'GET', byId(partner_id), byId(server.name()));
      },
      'a deal of version 1.0',
    );

    define('2.5/identity/stranger-reads-by-number', async (server) => {
      const { id } = await server.makeDeal();
      await expectAbsent(server, 'GET', `/api/1.0/deal/${id}/`, `/api/1.0/deal/${missing}/`);
    });

    define(
      '2.5/identity/stranger-uploads',
      async (server) => {
        const { id } = await server.makeDeal();
        const path = (each: number) => `/api/1.0/deal/${each}/file/`;
        await expectAbsent(server, 'POST', path(id), path(missing), file);
      },
      'POST /api/1.0/deal/{id}/file/',
    );

    for (const form of forms) {
      define(
        '2.5/identity/stranger-downloads',
        async (server) => {
          const { partner_id } = await server.makeDealV2();
          const path = form(partner_id, 'file/');
          const { id } = await server.partner.data('POST', path, { body: file });
          const own = form(partner_id, `file/${id}/`);
          await expectAbsent(server, 'GET', own, form(server.name(), `file/${id}/`));
          // by a deal of its own, too
          const body = server.dealV2({ partner_id });
          await server.other.data('POST', createDealV2.path, { body });
          expectError(await server.other.send('GET', own), 404, 'not_found');
        },
        form('{partner_id}', 'file/{id}/'),
      );
    }

    for (const path of ['partner/cancel/', 'freelancer/accept/', 'operator/cancel/']) {
      define(
        '2.5/identity/stranger-commands-sandbox',
        async (server) => {
          const { partner_id } = await server.makeDealV2();
          const of = (name: string) => `/api/2.0/sandbox/deal/${name}/${path}`;
          await expectAbsent(server, 'POST', of(partner_id), of(server.name()), reason);
        },
        path,
      );
    }

    define('2.1/identity/stranger-changes-nothing', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const before = await server.partner.data('GET', byId(partner_id));
      for (const { method, end, body } of commands) {
        const request = body === undefined ? {} : { body };
        for (const form of forms) {
          await server.other.send(method, form(partner_id, end), request);
        }
      }
      equal(await server.partner.data('GET', byId(partner_id)), before, 'the details of the deal');
    });
  },
);

/** An id that no deal has. */
const missing = Number.MAX_SAFE_INTEGER;

/** The other partner gets the same answer for a deal of the partner as for one that is missing. */
async function expectAbsent(
  { other }: Server,
  method: string,
  path: string,
  missingPath: string,
  body?: Members,
): Promise<void> {
  const request = body === undefined ? {} : { body };
  const absent = await other.send(method, missingPath, request);
  const foreign = await other.send(method, path, request);
  expectError(foreign, 404, 'not_found');
  expectStatus(absent, 404);
  equal(withoutIds(foreign), withoutIds(absent), 'the error');
}
