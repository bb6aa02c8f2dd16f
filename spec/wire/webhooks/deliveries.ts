import { check, equal, show } from '../../expectations.js';
import { eventMembers } from '../events/events.js';
import {
  endOf,
  feed,
  invite,
  type Make,
  makeDeal,
  makeDealV2,
  mentions,
  readOn,
  timeLine,
  typesOf,
  versions,
} from '../events/pages.js';
import { group, type Server } from '../server.js';
import {
  type Arrived,
  act,
  arrived,
  deliveriesOf,
  isSignedWith,
  type Listening,
  messagesTo,
  tested,
  withWebhooks,
} from './webhook.js';

/** Seconds by which libraries of Standard Webhooks let the time of a message be off. */
const tolerance = 300;

/** A message about a new deal whose id is not ASCII, and its deal. */
async function told(server: Server, webhook: Listening, make: Make) {
  const partner_id = `${server.name('x').slice(0, 30)}-\u0142\u{1f600}`;
  await make(server, { partner_id });
  const isWanted = mentions(partner_id);
  const [first] = await arrived(
    server,
    webhook,
    (event) => event['type'] === 'deal.created' && isWanted(event),
  );
  return { ...first, partner_id };
}

/** The kinds of messages, each with what makes one. */
const kinds: readonly (readonly [
  kind: string,
  send: (server: Server, webhook: Listening) => Promise<Arrived>,
])[] = [
  ['a test', tested],
  ...versions.map(
    ([version, make]) =>
      [
        `a deal of ${version}`,
        (server: Server, webhook: Listening) => told(server, webhook, make),
      ] as const,
  ),
];

/** Decisions 7.2 and 7.7: what comes to a webhook. */
export const deliveries = group(
  'deliveries to webhooks',
  {
    must: {
      '7.2/webhooks/test': 'A test posts an event of the type `webhook.test`.',
      '7.2/webhooks/test-members': 'The event of a test has all members of an event.',
      '7.8/webhooks/test-in-no-feed': 'The event of a test is in no feed.',
      '7.8/webhooks/test-once': 'A test that fails is not planned to be sent again.',
      '7.7/webhooks/body': 'A message is the event as it is in the time line, member by member.',
      '7.7/webhooks/id': 'The header `webhook-id` of a message is the `id` of its event.',
      '7.2/webhooks/timestamp':
        'The header `webhook-timestamp` is the time of the attempt, in whole seconds.',
      '7.2/webhooks/signature':
        'A message is signed with the secret of its webhook, as Standard Webhooks says.',
      'i/webhooks/content-type': 'A message has the content type `application/json`.',
      '7.2/webhooks/old-secret': 'After a rotation, a message is signed with the old secret too.',
      '7.2/webhooks/new-secret': 'After a rotation, a message is signed with the new secret.',
      '7.2/webhooks/all-types': 'Without `types`, a webhook gets events of every type.',
      '7.2/webhooks/types': 'A webhook gets events of its `types` alone.',
      '2.1/webhooks/own-events': 'A webhook gets no event of another partner.',
      '7.2/webhooks/deleted': 'A webhook that was deleted gets no more events.',
    },
  },
  (defineCase) => {
    const define = withWebhooks(defineCase);

    define('7.2/webhooks/test', async ({ listen }, server) => {
      await tested(server, await listen());
    });

    define('7.2/webhooks/test-members', async ({ listen }, server) => {
      const { event } = await tested(server, await listen());
      const missing = eventMembers.filter((name) => !Object.hasOwn(event, name));
      equal(missing, [], `the members that the event lacks: ${show(event)}`);
    });

    define('7.8/webhooks/test-in-no-feed', async ({ listen }, server) => {
      const webhook = await listen();
      const after = await endOf(server.partner);
      const { event } = await tested(server, webhook);
      const { events } = await readOn(server.partner, feed, { after });
      const found = events.filter(({ id, type }) => id === event['id'] || type === 'webhook.test');
      equal(found, [], 'the events of the test in the feed');
    });

    define('7.8/webhooks/test-once', async ({ listen }, server) => {
      const webhook = await listen();
      webhook.receiver.answer(500);
      const { next_attempt_at = null } = await act(server, webhook, 'test');
      equal(next_attempt_at, null, 'the member next_attempt_at of the answer, if it has one');
      const { results } = await deliveriesOf(server, webhook);
      const planned = results.filter(
        ({ type, status }) => type === 'webhook.test' && status === 'pending',
      );
      equal(planned, [], 'the tests in the list of deliveries that are pending');
    });

    for (const [kind, send] of kinds) {
      define(
        '7.7/webhooks/id',
        async ({ listen }, server) => {
          const { message, event } = await send(server, await listen());
          equal(message.headers.get('webhook-id'), event['id'], 'the header webhook-id');
        },
        kind,
      );

      define(
        '7.2/webhooks/timestamp',
        async ({ listen }, server) => {
          const { message } = await send(server, await listen());
          const time = message.headers.get('webhook-timestamp') ?? '';
          check(/^\d+$/.test(time), `webhook-timestamp is whole seconds\n  actual: ${time}`);
          const off = Math.abs(Number(time) - Date.now() / 1000);
          check(off < tolerance, `webhook-timestamp is off by ${Math.round(off)} s`);
        },
        kind,
      );

      define(
        '7.2/webhooks/signature',
        async ({ listen }, server) => {
          const webhook = await listen();
          await expectSigned(await send(server, webhook), webhook.secret);
        },
        kind,
      );

      define(
        'i/webhooks/content-type',
        async ({ listen }, server) => {
          const { message } = await send(server, await listen());
          const type = message.headers.get('content-type');
          const [essence] = (type ?? '').split(';');
          equal(essence?.trim().toLowerCase(), 'application/json', 'the header content-type');
        },
        kind,
      );

      define(
        '7.2/webhooks/old-secret',
        async ({ listen }, server) => {
          const webhook = await listen();
          await act(server, webhook, 'rotate');
          await expectSigned(await send(server, webhook), webhook.secret);
        },
        kind,
      );

      define(
        '7.2/webhooks/new-secret',
        async ({ listen }, server) => {
          const webhook = await listen();
          const { secret } = await act(server, webhook, 'rotate');
          await expectSigned(await send(server, webhook), String(secret));
        },
        kind,
      );
    }

    for (const [version, make] of versions) {
      define(
        '7.7/webhooks/body',
        async ({ listen }, server) => {
          const { event, partner_id } = await told(server, await listen(), make);
          const [first] = await timeLine(server, partner_id);
          equal(event, first, 'the event in the message');
        },
        version,
      );

      define(
        '2.1/webhooks/own-events',
        async ({ listen }, server) => {
          const webhook = await listen({}, server.other);
          const { partner_id } = await make(server);
          const own = await make(server, {}, server.other);
          await arrived(server, webhook, mentions(own.partner_id));
          expectNone(webhook, partner_id);
        },
        version,
      );

      define(
        '7.2/webhooks/deleted',
        async ({ listen }, server) => {
          const [gone, left] = [await listen(), await listen()];
          await server.partner.send('DELETE', `/api/2.0/webhook/${gone.id}/`);
          const first = await make(server);
          const second = await make(server);
          await arrived(server, left, mentions(second.partner_id));
          expectNone(gone, first.partner_id);
        },
        version,
      );
    }

    define(
      '7.2/webhooks/all-types',
      async ({ listen }, server) => {
        const webhook = await listen();
        const email = await server.registered();
        await arrived(server, webhook, mentions(email));
        const { partner_id } = await makeDeal(server, { contractor_email: email });
        await arrived(server, webhook, mentions(partner_id));
      },
      '1.0, contractors and deals',
    );

    define(
      '7.2/webhooks/all-types',
      async ({ listen }, server) => {
        const webhook = await listen({ types: [] });
        const { partner_id } = await makeDealV2(server);
        await invite(server, partner_id);
        await arrived(server, webhook, mentions(partner_id), { count: 2 });
      },
      '2.0, deals and a command',
    );

    define(
      '7.2/webhooks/types',
      async ({ listen }, server) => {
        const webhook = await listen({ types: ['deal.created', 'of.no.server'] });
        const email = await server.registered();
        const { partner_id } = await makeDeal(server, { contractor_email: email });
        await arrived(server, webhook, mentions(partner_id));
        expectTypes(webhook, 'deal.created');
      },
      '1.0, contractors and deals',
    );

    define(
      '7.2/webhooks/types',
      async ({ listen }, server) => {
        const webhook = await listen({ types: ['deal.invited'] });
        const { partner_id } = await makeDealV2(server);
        await invite(server, partner_id);
        await arrived(server, webhook, mentions(partner_id));
        expectTypes(webhook, 'deal.invited');
      },
      '2.0, deals and a command',
    );
  },
);

async function expectSigned({ message }: Arrived, secret: string): Promise<void> {
  const signatures = message.headers.get('webhook-signature');
  const isSigned = await isSignedWith(message, secret);
  check(isSigned, `webhook-signature has the signature of the secret\n  actual: ${signatures}`);
}

function expectNone({ receiver }: Listening, name: string): void {
  const found = messagesTo(receiver).filter(({ event }) => mentions(name)(event));
  equal(typesOf(found.map(({ event }) => event)), [], 'the types of the events that came');
}

function expectTypes({ receiver }: Listening, type: string): void {
  const types = typesOf(messagesTo(receiver).map(({ event }) => event));
  equal([...new Set(types)], [type], 'the types of the events that came');
}
