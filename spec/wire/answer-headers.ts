import { check, show } from '../expectations.js';
import { byId, creates, pathOf } from './creates/create.js';
import { pathOfList } from './lists/list.js';
import { group, type Reply, type Server } from './server.js';

const parts = [
  ...(['create', 'details', 'list', 'life', 'freelancer', 'operator'] as const),
  ...(['sandbox', 'events', 'files'] as const),
] as const;

/** A successful answer of each operation, by the part of the ids of its laws. */
const answers: Readonly<
  Record<(typeof parts)[number], readonly [name: string, (server: Server) => Promise<Reply>][]>
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
  life: [
    [
      'partner',
      async (server) => {
        const { partner_id } = await server.makeDealV2();
        return server.partner.send('POST', `/api/2.0/deal/${partner_id}/cancel/`);
      },
    ],
  ],
  freelancer: [
    ['offer', async (server) => (await server.makeDealV2()).freelancer.send('GET', offer)],
    [
      'command',
      async (server) => (await server.makeDealV2()).freelancer.send('POST', `${offer}accept/`),
    ],
  ],
  operator: [
    [
      'deal',
      async (server) => server.operator.send('GET', operatorPath(server, await nameOf(server))),
    ],
    [
      'command',
      async (server) => {
        const path = operatorPath(server, await nameOf(server));
        return server.operator.send('POST', `${path}invite/`);
      },
    ],
  ],
  sandbox: [
    [
      'clock',
      ({ partner }) =>
        partner.send('POST', '/api/2.0/sandbox/clock/', { body: { advance_seconds: 1 } }),
    ],
  ],
  events: [
    ['feed', ({ partner }) => partner.send('GET', '/api/2.0/event/?page_size=1')],
    [
      'time line',
      async (server) => server.partner.send('GET', `/api/2.0/deal/${await nameOf(server)}/event/`),
    ],
  ],
  files: [
    [
      'upload to a deal of 1.0',
      async (server) => {
        const { id } = await server.makeDeal();
        const body = { name: `${server.name()}.txt`, content: 'YWJj' };
        return server.partner.send('POST', `/api/1.0/deal/${id}/file/`, { body });
      },
    ],
    [
      'upload',
      async (server) => {
        const body = { name: `${server.name()}.txt`, content: 'YWJj' };
        const path = `/api/2.0/deal/${await nameOf(server)}/file/`;
        return server.partner.send('POST', path, { body });
      },
    ],
    [
      'list',
      async (server) => server.partner.send('GET', `/api/2.0/deal/${await nameOf(server)}/file/`),
    ],
  ],
};

const offer = '/api/2.0/offer/';
const nameOf = async (server: Server) => (await server.makeDealV2()).partner_id;
const operatorPath = ({ partnerName }: Server, partner_id: string) =>
  `/operator/${partnerName}/deal/${partner_id}/`;

/** The interface and decision 5.4: what every answer says of itself. */
export const answerHeaders = group(
  'headers of answers',
  {
    must: {
      'i/create/json': 'The answer to a create is `application/json`.',
      'i/details/json': 'The answer with a deal is `application/json`.',
      'i/list/json': 'The answer to a list is `application/json`.',
      'i/life/json': 'The answer to a command is `application/json`.',
      'i/freelancer/json': 'Answers to a freelancer are `application/json`.',
      'i/operator/json': 'Answers to an operator are `application/json`.',
      'i/sandbox/json': 'The answer of the clock of a sandbox is `application/json`.',
      'i/events/json': 'The answer with events is `application/json`.',
      'i/files/json': 'The answers to an upload and to a list of files are `application/json`.',
      '5.4/create/request-id': 'The answer to a create has a header `X-Request-Id`.',
      '5.4/details/request-id': 'The answer with a deal has a header `X-Request-Id`.',
      '5.4/list/request-id': 'The answer to a list has a header `X-Request-Id`.',
      '5.4/life/request-id': 'The answer to a command has a header `X-Request-Id`.',
      '5.4/freelancer/request-id': 'Answers to a freelancer have a header `X-Request-Id`.',
      '5.4/operator/request-id': 'Answers to an operator have a header `X-Request-Id`.',
      '5.4/sandbox/request-id': 'The answer of the clock of a sandbox has a header `X-Request-Id`.',
      '5.4/events/request-id': 'The answer with events has a header `X-Request-Id`.',
      '5.4/files/request-id':
        'The answers to an upload and to a list of files have a header `X-Request-Id`.',
    },
  },
  (define) => {
    for (const part of parts) {
      for (const [name, answer] of answers[part]) {
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
