import { check, equal } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import { listOf } from '../events/pages.js';
import { expectError, expectStatus, group, type Members, type Reply } from '../server.js';
import { madeBy, unreachable, type Webhooks, withWebhooks } from './webhook.js';

/** Addresses that a host must not let others reach, by their kinds. */
const privateAddresses = {
  loopback: ['127.0.0.1', '127.1.2.3', '[::1]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '[fc00::1]', '[fd12::1]'],
  'link-local': ['169.254.0.1', '[fe80::1]'],
  metadata: ['169.254.169.254'],
  unspecified: ['0.0.0.0', '[::]'],
  mapped: ['[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'],
} as const;

/** Other ways to write 127.0.0.1 in a URL. */
const spellings = ['2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.1', '127.0.0.1.'];

/** Decisions 1.7, 1.8, 7.4 and 7.9: what a webhook is made of. */
export const webhookInput = group(
  'the input of webhooks',
  {
    must: {
      '7.2/webhooks/url': 'A webhook without a `url` is 400.',
      '1.7/webhooks/null': 'A member of a webhook that is `null` is 400.',
      '7.2/webhooks/url-type': 'A `url` that is no text is 400.',
      '7.4/webhooks/url-scheme': 'A `url` that is not an absolute URL of http or https is 400.',
      '7.2/webhooks/types-form': 'A webhook whose `types` are not a list of texts is 400.',
      '7.2/webhooks/ordered-form': 'A webhook whose `ordered` is not a boolean is 400.',
      '1.8/webhooks/all-at-once': 'All problems of a webhook are told at once.',
      '1.7/webhooks/unknown-members': 'Members of a webhook that are not known are ignored.',
      '7.9/webhooks/unknown-types': 'A webhook may ask for `types` that the server does not know.',
      '7.9/webhooks/no-key':
        'A webhook that is asked for again under its idempotency key is not the first one.',
      '7.9/webhooks/user-info': 'A `url` with user info is refused as `address_not_allowed`.',
      '7.9/webhooks/private-address':
        'A `url` with a private address is refused as `address_not_allowed`, unless the host allows those.',
      '7.9/webhooks/spelling':
        'A `url` with an address of the machine itself, however it is written, is refused likewise.',
      '7.9/webhooks/port':
        'A `url` with another port than 80 and 443 is 400, unless the host allows it.',
      '7.9/webhooks/port-443': 'A `url` may name port 443.',
    },
  },
  (defineCase) => {
    const define = withWebhooks(defineCase);

    const refusals = {
      '7.2/webhooks/url': [['url', {}]],
      '7.2/webhooks/url-type': [
        ['url', { url: 5 }],
        ['url', { url: [unreachable] }],
      ],
      '1.7/webhooks/null': [
        ['url', { url: null }],
        ['types', { url: unreachable, types: null }],
        ['ordered', { url: unreachable, ordered: null }],
      ],
      '7.4/webhooks/url-scheme': [
        ...['ftp://receiver.invalid/', 'file:///etc/passwd', 'javascript:alert(1)'],
        ...['mailto:user@example.com', 'receiver.invalid/deals', '/deals', '//receiver.invalid/'],
        ...['', ' ', 'https://', 'https://a b/'],
      ].map((url) => ['url', { url }] as const),
      '7.2/webhooks/types-form': ['deal.created', 5, {}, [5], [['deal.created']], [null]].map(
        (types) => ['types', { url: unreachable, types }] as const,
      ),
      '7.2/webhooks/ordered-form': ['true', 1, 'yes', []].map(
        (ordered) => ['ordered', { url: unreachable, ordered }] as const,
      ),
    } satisfies Record<string, readonly (readonly [string, Members])[]>;
    for (const [id, rows] of Object.entries(refusals)) {
      for (const [member, body] of rows) {
        const variant = JSON.stringify(body);
        define(
          id as keyof typeof refusals,
          async ({ ask }) => {
            expectMembers(await ask(body), [member]);
          },
          variant,
        );
      }
    }

    define('1.8/webhooks/all-at-once', async ({ ask }) => {
      expectMembers(await ask({ types: 5, ordered: 'yes' }), ['ordered', 'types', 'url']);
    });

    define('1.7/webhooks/unknown-members', async ({ ask }) => {
      expectStatus(await ask({ url: unreachable, secret: 'x', events: 5, ['__proto__']: 5 }), 201);
    });

    define('7.9/webhooks/unknown-types', async ({ make }) => {
      const types = ['of.no.server', 'deal.created'];
      equal((await make({ types }))['types'], types, 'the types');
    });

    define('7.9/webhooks/no-key', async ({ ask }, server) => {
      const key = server.name('key');
      const first = await ask({ url: unreachable }, { key });
      const second = await ask({ url: unreachable }, { key });
      // either may be refused
      if (first.status !== 201 || second.status !== 201) return;
      check(madeBy(first)['id'] !== madeBy(second)['id'], 'the two webhooks differ');
    });

    for (const url of ['https://user@receiver.invalid/', 'https://user:word@receiver.invalid/']) {
      define(
        '7.9/webhooks/user-info',
        async ({ ask }) => expectAddress(await ask({ url })),
        url.replace('word', '...'),
      );
    }

    for (const [kind, addresses] of Object.entries(privateAddresses)) {
      define(
        '7.9/webhooks/private-address',
        async (webhooks) => {
          await onlyPublic(webhooks);
          for (const each of addresses) {
            expectAddress(await webhooks.ask({ url: `https://${each}/deals` }));
          }
        },
        kind,
      );
    }

    define('7.9/webhooks/spelling', async (webhooks) => {
      await onlyPublic(webhooks);
      for (const each of spellings) {
        expectAddress(await webhooks.ask({ url: `https://${each}/deals` }));
      }
    });

    define('7.9/webhooks/port', async (webhooks) => {
      await onlyPublic(webhooks);
      for (const port of ['22', '25', '6379']) {
        const url = `https://receiver.invalid:${port}/deals`;
        expectMembers(await webhooks.ask({ url }), ['url']);
      }
    });

    define('7.9/webhooks/port-443', async ({ ask }) => {
      expectStatus(await ask({ url: 'https://receiver.invalid:443/deals' }), 201);
    });
  },
);

/** Fails the case unless the answer is a validation error of these members. */
function expectMembers(reply: Reply, members: readonly string[]): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  const found = listOf(errors, 'the issues').map(({ path }) => Object(path)[0]);
  equal([...new Set(found)].sort(), members, 'the members with an issue');
}

function expectAddress(reply: Reply): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  const [first] = listOf(errors, 'the issues').map(({ path, code }) => ({ path, code }));
  equal(first, { path: ['url'], code: 'address_not_allowed' }, 'the issue');
}

/** A host may allow private addresses; then it takes one of the machine itself. */
async function onlyPublic({ ask }: Webhooks): Promise<void> {
  const { status } = await ask({ url: 'https://127.0.0.1/deals' });
  if (status === 201) throw new NotApplicable('the host allows private addresses');
}
