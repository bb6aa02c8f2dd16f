import { check, show } from '../../expectations.js';
import { byId, creates, pathOf } from '../creates/create.js';
import { pathOfList } from '../lists/list.js';
import { group, type Reply, type Server } from '../server.js';

/** A successful answer of each operation, by the part of the ids of its laws. */
const answers: Readonly<
  Record<string, readonly [name: string, (server: Server) => Promise<Reply>][]>
> = {
  create: creates.map((create) => [
    create.name,
    async (server) =>
      server.partner.send('POST', create.path, { body: await create.valid(server) }),
  ]),
  details: [
    [
      'deal 1.0',
      async (server) => {
        const { id } = await server.makeDeal();
        return server.partner.send('GET', `/api/1.0/deal/${id}/`);
      },
    ],
    ...[pathOf, byId].map((path): [string, (server: Server) => Promise<Reply>] => [
      path('partner_id'),
      async (server) => {
        const { partner_id } = await server.makeDealV2();
        return server.partner.send('GET', path(partner_id));
      },
    ]),
  ],
  list: [['list', ({ partner }) => partner.send('GET', pathOfList({ page_size: 1 }))]],
};

/** The interface and decision 5.4: what every answer says of itself. */
export const answerHeaders = group(
  'headers of creates, details and lists',
  {
    must: {
      'i/create/json': 'The answer to a create is `application/json`.',
      'i/details/json': 'The answer with a deal is `application/json`.',
      'i/list/json': 'The answer to a list is `application/json`.',
      '5.4/create/request-id': 'The answer to a create has a header `X-Request-Id`.',
      '5.4/details/request-id': 'The answer with a deal has a header `X-Request-Id`.',
      '5.4/list/request-id': 'The answer to a list has a header `X-Request-Id`.',
    },
  },
  (define) => {
    for (const part of ['create', 'details', 'list'] as const) {
      for (const [name, answer] of answers[part] ?? []) {
        define(
          `i/${part}/json`,
          async (server) => {
            const type = (await answer(server)).header('content-type');
            const isJson = /^application\/json\s*(;|$)/i.test(type ?? '');
            check(isJson, `the content type is application/json\n  actual: ${show(type)}`);
          },
          name,
        );

        define(
          `5.4/${part}/request-id`,
          async (server) => {
            const id = (await answer(server)).header('x-request-id');
            check((id ?? '') !== '', `there is an X-Request-Id\n  actual: ${show(id)}`);
          },
          name,
        );
      }
    }
  },
);
