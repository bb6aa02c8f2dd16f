import { check, equal, show } from '../../expectations.js';
import { expectForm, garbage, listOf, timestamp, ulid, withQuery } from '../events/pages.js';
import { type Caller, expectError, expectStatus, group, type Members } from '../server.js';
import { act, deliveriesOf, retrieve, unreachable, webhookPath, withWebhooks } from './webhook.js';

const webhookMembers = [
  ...['id', 'url', 'types', 'ordered', 'status', 'disabled_reason', 'created_at'],
];

/** A ULID that no webhook has. */
const unknownId = '01KDVE0000000000000000000F';

/** Every operation on one webhook. */
const operations: Readonly<Record<string, (caller: Caller, id: string) => ReturnType<Send>>> = {
  retrieve: (caller, id) => caller.send('GET', `${webhookPath}${id}/`),
  delete: (caller, id) => caller.send('DELETE', `${webhookPath}${id}/`),
  rotate: (caller, id) => caller.send('POST', `${webhookPath}${id}/rotate/`),
  enable: (caller, id) => caller.send('POST', `${webhookPath}${id}/enable/`),
  test: (caller, id) => caller.send('POST', `${webhookPath}${id}/test/`),
  deliveries: (caller, id) => caller.send('GET', `${webhookPath}${id}/delivery/`),
  redeliver: (caller, id) =>
    caller.send('POST', `${webhookPath}${id}/delivery/${unknownId}/redeliver/`),
  'redeliver since': (caller, id) => {
    const body = { since: '2000-01-01T00:00:00Z' };
    return caller.send('POST', `${webhookPath}${id}/redeliver/`, { body });
  },
};

type Send = Caller['send'];

/** Decisions 7.2, 7.8 and 7.9: the webhooks of a partner. */
export const webhooks = group(
  'webhooks',
  {
    must: {
      '7.2/webhooks/created': 'The creation of a webhook is 201.',
      '7.2/webhooks/secret':
        'The secret of a new webhook is `whsec_` and 24 to 64 bytes in base64.',
      '7.2/webhooks/secret-of-its-own': 'Each webhook has a secret of its own.',
      '7.8/webhooks/members':
        'A webhook has the members `id`, `url`, `types`, `ordered`, `status`, `disabled_reason` and `created_at`.',
      '2.4/webhooks/id': 'The `id` of a webhook is a ULID.',
      '7.8/webhooks/created-at': 'The `created_at` of a webhook is a time in RFC 3339.',
      '7.8/webhooks/enabled': 'A new webhook is `enabled`, without a `disabled_reason`.',
      '7.8/webhooks/not-ordered': 'A webhook is not `ordered` unless that is asked for.',
      '7.8/webhooks/kept': 'A webhook shows `url`, `types` and `ordered` as they were asked for.',
      '7.2/webhooks/retrieve': 'A webhook is retrieved as it was created, without its secret.',
      '7.2/webhooks/secret-once': 'No answer but that of a creation or a rotation has a secret.',
      '7.2/webhooks/list': 'The list of webhooks has each webhook of the partner.',
      '7.2/webhooks/delete': 'A deleted webhook is 404.',
      '7.2/webhooks/delete-in-list': 'A deleted webhook is not in the list of webhooks.',
      '7.2/webhooks/unknown': 'A webhook that does not exist is 404.',
      '2.1/webhooks/of-others': 'A webhook of another partner is 404.',
      '2.1/webhooks/list-of-others': 'No webhook of another partner is in the list of webhooks.',
      '2.1/webhooks/not-deleted-by-others': 'A webhook is left as it was if another deletes it.',
      '7.2/webhooks/rotate': 'A rotation gives a webhook another secret of the same form.',
      '7.2/webhooks/rotate-alone': 'A rotation changes nothing else of a webhook.',
      '7.8/webhooks/enable-again': 'A webhook that is enabled is enabled again without a change.',
      '7.2/webhooks/redeliver-unknown': 'A redelivery of a delivery that does not exist is 404.',
      '4/webhooks/cursor-garbage': 'A cursor of deliveries that is garbage is 400.',
      '7.8/webhooks/no-delivery': 'The list of deliveries of a new webhook is empty.',
    },
    // docs/reference/http.md says so; no decision does
    should: {
      '7.8/webhooks/deal-unknown': 'The deliveries of a deal that does not exist are 404.',
    },
  },
  (defineCase) => {
    const define = withWebhooks(defineCase);

    define('7.2/webhooks/created', async ({ ask }) => {
      expectStatus(await ask({ url: unreachable }), 201);
    });

    define('7.8/webhooks/deal-unknown', async (_, { partner, name }) => {
      expectError(
        await partner.send('GET', `/api/2.0/deal/${name('none')}/delivery/`),
        404,
        'not_found',
      );
    });

    define('7.2/webhooks/secret', async ({ make }) => {
      expectSecret((await make())['secret']);
    });

    define('7.2/webhooks/secret-of-its-own', async ({ make }) => {
      const [first, second] = [await make(), await make()];
      check(first['secret'] !== second['secret'], 'the secrets of two webhooks differ');
    });

    define('7.8/webhooks/members', async ({ make }) => {
      const webhook = await make();
      const missing = webhookMembers.filter((name) => !Object.hasOwn(webhook, name));
      equal(missing, [], `the members that the webhook lacks: ${show(withoutSecret(webhook))}`);
    });

    define('2.4/webhooks/id', async ({ make }) => {
      expectForm((await make())['id'], ulid, 'the id is a ULID');
    });

    define('7.8/webhooks/created-at', async ({ make }) => {
      expectForm((await make())['created_at'], timestamp, 'created_at is a time in RFC 3339');
    });

    define('7.8/webhooks/enabled', async ({ make }) => {
      const { status, disabled_reason } = await make();
      const expected = { status: 'enabled', disabled_reason: null };
      equal({ status, disabled_reason }, expected, 'the state of the webhook');
    });

    define('7.8/webhooks/not-ordered', async ({ make }) => {
      equal((await make())['ordered'], false, 'the member ordered');
    });

    define('7.8/webhooks/kept', async ({ make }) => {
      const asked = {
        url: `${unreachable}/a%2Fb?key=1&x=%C5%82`,
        types: ['deal.accepted', 'deal.created'],
        ordered: true,
      };
      const { url, types, ordered } = await make(asked);
      equal({ url, types, ordered }, asked, 'the webhook');
    });

    define('7.2/webhooks/retrieve', async ({ make }, server) => {
      const made = await make({ types: ['deal.created'], ordered: true });
      equal(await retrieve(server, made), withoutSecret(made), 'the webhook');
    });

    define('7.2/webhooks/secret-once', async ({ make }, server) => {
      const made = await make();
      const answers = {
        'the webhook': await server.partner.send('GET', `${webhookPath}${made['id']}/`),
        'the list': await server.partner.send('GET', webhookPath),
        'the enabled one': await operations['enable']?.(server.partner, String(made['id'])),
      };
      for (const [what, reply] of Object.entries(answers)) {
        const text = JSON.stringify(reply?.json());
        check(!text.includes('whsec_'), `${what} has no secret`);
        check(!text.includes(String(made['secret']).slice(6)), `${what} has no secret`);
      }
    });

    define('7.2/webhooks/list', async ({ make }, { partner }) => {
      const [first, second] = [await make(), await make({ types: ['deal.created'] })];
      const listed = await list(partner);
      for (const made of [first, second]) {
        const found = listed.find(({ id }) => id === made['id']);
        equal(found, withoutSecret(made), 'the webhook in the list');
      }
    });

    define('7.2/webhooks/delete', async ({ make }, { partner }) => {
      const { id } = await make();
      const { status } = await partner.send('DELETE', `${webhookPath}${id}/`);
      check(status < 300, `the deletion succeeds\n  actual: ${status}`);
      expectError(await partner.send('GET', `${webhookPath}${id}/`), 404, 'not_found');
    });

    define('7.2/webhooks/delete-in-list', async ({ make }, { partner }) => {
      const [gone, left] = [await make(), await make()];
      await partner.send('DELETE', `${webhookPath}${gone['id']}/`);
      const ids = (await list(partner)).map(({ id }) => id);
      check(ids.includes(left['id']), 'the other webhook is in the list');
      check(!ids.includes(gone['id']), 'the deleted webhook is not in the list');
    });

    for (const [name, operate] of Object.entries(operations)) {
      define(
        '7.2/webhooks/unknown',
        async (_, { partner }) => {
          for (const id of [unknownId, 'x']) {
            expectError(await operate(partner, id), 404, 'not_found');
          }
        },
        name,
      );

      define(
        '2.1/webhooks/of-others',
        async ({ make }, { other }) => {
          const { id } = await make();
          expectError(await operate(other, String(id)), 404, 'not_found');
        },
        name,
      );
    }

    define('2.1/webhooks/list-of-others', async ({ make }, { other }) => {
      const { id } = await make();
      const ids = (await list(other)).map((each) => each['id']);
      check(!ids.includes(id), 'the webhook of the first partner is not in the list');
    });

    define('2.1/webhooks/not-deleted-by-others', async ({ make }, server) => {
      const made = await make();
      await server.other.send('DELETE', `${webhookPath}${made['id']}/`);
      equal(await retrieve(server, made), withoutSecret(made), 'the webhook');
    });

    define('7.2/webhooks/rotate', async ({ make }, server) => {
      const made = await make();
      const { secret } = await act(server, made, 'rotate');
      expectSecret(secret);
      check(secret !== made['secret'], 'the secret is another one');
    });

    define('7.2/webhooks/rotate-alone', async ({ make }, server) => {
      const made = await make({ types: ['deal.created'], ordered: true });
      const rotated = await act(server, made, 'rotate');
      equal(withoutSecret(rotated), withoutSecret(made), 'the answer of the rotation');
      equal(await retrieve(server, made), withoutSecret(made), 'the webhook');
    });

    define('7.8/webhooks/enable-again', async ({ make }, server) => {
      const made = await make();
      await act(server, made, 'enable');
      equal(await retrieve(server, made), withoutSecret(made), 'the webhook');
    });

    define('7.2/webhooks/redeliver-unknown', async ({ make }, { partner }) => {
      const { id } = await make();
      for (const delivery of [unknownId, 'x']) {
        const path = `${webhookPath}${id}/delivery/${delivery}/redeliver/`;
        expectError(await partner.send('POST', path), 404, 'not_found');
      }
    });

    define('4/webhooks/cursor-garbage', async ({ make }, { partner }) => {
      const { id } = await make();
      for (const cursor of garbage) {
        const path = withQuery(`${webhookPath}${id}/delivery/`, { cursor });
        expectError(await partner.send('GET', path), 400, 'invalid_cursor');
      }
    });

    define('7.8/webhooks/no-delivery', async ({ make }, server) => {
      const { results } = await deliveriesOf(server, await make({ types: ['of.no.server'] }));
      equal(results, [], 'the deliveries');
    });
  },
);

function withoutSecret({ secret: _, ...rest }: Members): Members {
  return rest;
}

async function list(caller: Caller): Promise<readonly Members[]> {
  const reply = await caller.send('GET', webhookPath);
  expectStatus(reply, 200);
  return listOf(reply.members()['data'], 'the list of webhooks');
}

/** Fails the case unless this is a secret of Standard Webhooks. The failure does not show it. */
function expectSecret(secret: unknown): void {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(secret)) ?? [];
  check(base64 !== undefined, 'the secret is whsec_ and base64');
  const { length } = atob(base64);
  check(length >= 24 && length <= 64, `the secret has 24 to 64 bytes\n  actual: ${length}`);
}
