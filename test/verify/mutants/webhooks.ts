import { answering, askedAt, asking, pathOf, refusal, withMembers } from './changes.js';
import { asFirstPartner, type Members } from './event-changes.js';
import type { Mutant } from './mutant.js';
import {
  dropped,
  inInput,
  inWebhooks,
  isAction,
  isCreate,
  isList,
  isRetrieve,
  isWebhook,
} from './webhook-changes.js';

type Fetch = Mutant['fetch'];

/** A URL is taken that is refused. */
const takenUrl = (fits: RegExp): Fetch =>
  inInput((input) =>
    fits.test(String(input['url'])) ? { ...input, url: 'https://receiver.invalid/' } : input,
  );

/** Refuses what a new webhook is asked to be. */
const refusedInput = (isRefused: (input: Members) => boolean): Fetch =>
  asking(async (request) =>
    isCreate(request) && isRefused(await request.clone().json())
      ? refusal(400, 'validation_failed')
      : request,
  );

/** The ids of webhooks that were deleted stay in use. */
const undeleted: Fetch = (forward) => {
  const gone: unknown[] = [];
  return async (request) => {
    const response = await forward(request.clone());
    if (request.method === 'DELETE' && response.ok) gone.push((await response.clone().json()).data);
    return isList(request)
      ? withMembers(response, ({ data }) => ({ data: [...(data as unknown[]), ...gone] }))
      : response;
  };
};

/** The first answer of each idempotency key. */
const replaying: Fetch = (forward) => {
  const answers = new Map<string, Response>();
  return async (request) => {
    const key = request.headers.get('idempotency-key');
    if (key === null || !isCreate(request)) return forward(request);
    const answer = answers.get(key) ?? (await forward(request));
    answers.set(key, answer.clone());
    return answer;
  };
};

/** Shows the secret of each webhook in later answers, too. */
const telling =
  (fits: (request: Request) => boolean): Fetch =>
  (forward) => {
    const secrets = new Map<unknown, unknown>();
    return inWebhooks(
      (webhook) => {
        const secret = secrets.get(webhook['id']) ?? webhook['secret'];
        secrets.set(webhook['id'], secret);
        return { ...webhook, secret };
      },
      (request) => isCreate(request) || fits(request),
    )(forward);
  };

const sameSecret = `whsec_${'A'.repeat(43)}=`;

const missing = (response: Response, request: Request, answer: () => Response) =>
  response.status === 404 && isWebhook(request) ? answer() : response;

export const mutants: readonly Mutant[] = [
  {
    name: 'a creation is 200',
    law: '7.2/webhooks/created',
    fetch: answering((response, request) =>
      isCreate(request) && response.ok
        ? new Response(response.body, { status: 200, headers: response.headers })
        : response,
    ),
  },
  ...[
    ['hexadecimal', 'whsec_0123456789abcdef0123456789abcdef!'],
    ['a text without a prefix', 'A'.repeat(44)],
    ['too short', 'whsec_AAAAAAAAAAAAAAAAAAAAAA=='],
    ['too long', `whsec_${'A'.repeat(88)}`],
  ].map(([what = '', secret = '']) => ({
    name: `the secret is ${what}`,
    law: '7.2/webhooks/secret',
    fetch: inWebhooks((webhook) => ({ ...webhook, secret }), isCreate),
  })),
  {
    name: 'the secret is that of the partner',
    law: '7.2/webhooks/secret-of-its-own',
    fetch: inWebhooks((webhook) => ({ ...webhook, secret: sameSecret }), isCreate),
  },
  ...['types', 'disabled_reason', 'created_at'].map((name) => ({
    name: `a webhook has no ${name}`,
    law: '7.8/webhooks/members',
    fetch: inWebhooks(dropped(name)),
  })),
  {
    name: 'ids are UUIDs',
    law: '2.4/webhooks/id',
    fetch: inWebhooks((webhook) => ({ ...webhook, id: crypto.randomUUID() }), isCreate),
  },
  {
    name: 'the time is in seconds',
    law: '7.8/webhooks/created-at',
    fetch: inWebhooks((webhook) => ({ ...webhook, created_at: 1_767_225_600 })),
  },
  {
    name: 'a new webhook is active',
    law: '7.8/webhooks/enabled',
    fetch: inWebhooks((webhook) => ({ ...webhook, status: 'active' })),
  },
  {
    name: 'the reason is empty text',
    law: '7.8/webhooks/enabled',
    fetch: inWebhooks((webhook) => ({ ...webhook, disabled_reason: '' })),
  },
  {
    name: 'a webhook is ordered by default',
    law: '7.8/webhooks/not-ordered',
    fetch: inInput((input) => ({ ordered: true, ...input })),
  },
  {
    name: 'the URL is normalised',
    law: '7.8/webhooks/kept',
    fetch: inWebhooks((webhook) => ({
      ...webhook,
      url: decodeURIComponent(String(webhook['url'])),
    })),
  },
  {
    name: 'types are sorted',
    law: '7.8/webhooks/kept',
    fetch: inWebhooks((webhook) => ({
      ...webhook,
      types: [...(webhook['types'] as string[])].sort().reverse(),
    })),
  },
  {
    name: 'a retrieved webhook has no types',
    law: '7.2/webhooks/retrieve',
    fetch: inWebhooks((webhook) => ({ ...webhook, types: [] }), isRetrieve),
  },
  {
    name: 'a retrieved webhook shows its secret',
    law: '7.2/webhooks/secret-once',
    fetch: telling(isRetrieve),
  },
  {
    name: 'the list shows the secrets',
    law: '7.2/webhooks/secret-once',
    fetch: telling(isList),
  },
  {
    name: 'the list shows the first webhook alone',
    law: '7.2/webhooks/list',
    fetch: answering((response, request) =>
      isList(request)
        ? withMembers(response, ({ data }) => ({ data: (data as unknown[]).slice(0, 1) }))
        : response,
    ),
  },
  {
    name: 'a deleted webhook is 410',
    law: '7.2/webhooks/delete',
    fetch: answering((response, request) => missing(response, request, () => refusal(410, 'gone'))),
  },
  {
    name: 'a deletion is a mark that the list does not read',
    law: '7.2/webhooks/delete-in-list',
    fetch: undeleted,
  },
  {
    name: 'an id that is no ULID is 400',
    law: '7.2/webhooks/unknown',
    fetch: asking((request) =>
      /\/webhook\/x\//.test(pathOf(request)) ? refusal(400, 'validation_failed') : request,
    ),
  },
  {
    name: 'a deletion of none is a success',
    law: '7.2/webhooks/unknown',
    fetch: answering((response, request) =>
      request.method === 'DELETE' && response.status === 404
        ? new Response(null, { status: 204 })
        : response,
    ),
  },
  ...['rotate', 'enable', 'test', 'delivery', 'redeliver'].map((name) => ({
    name: `"${name}" of a webhook of another partner succeeds`,
    law: '2.1/webhooks/of-others',
    fetch: answering((response, request) =>
      isAction(name)(request)
        ? missing(response, request, () => Response.json({ data: {} }))
        : response,
    ),
  })),
  {
    name: 'a webhook of another partner is 403',
    law: '2.1/webhooks/of-others',
    fetch: answering((response, request) =>
      missing(response, request, () => refusal(403, 'forbidden')),
    ),
  },
  {
    name: 'the list has the webhooks of all partners',
    law: '2.1/webhooks/list-of-others',
    fetch: asFirstPartner(isList),
  },
  {
    name: 'a deletion asks for no owner',
    law: '2.1/webhooks/not-deleted-by-others',
    fetch: asFirstPartner(({ method }) => method === 'DELETE'),
  },
  {
    name: 'a rotation changes nothing',
    law: '7.2/webhooks/rotate',
    fetch: telling(isAction('rotate')),
  },
  {
    name: 'a rotation ends the order',
    law: '7.2/webhooks/rotate-alone',
    fetch: inWebhooks((webhook) => ({ ...webhook, ordered: false }), isAction('rotate')),
  },
  {
    name: 'a webhook that is enabled again is another one',
    law: '7.8/webhooks/enable-again',
    fetch: (forward) => {
      const enabled = new Set<unknown>();
      return inWebhooks((webhook, request) => {
        if (isAction('enable')(request)) enabled.add(webhook['id']);
        return enabled.has(webhook['id']) ? { ...webhook, disabled_reason: 'none' } : webhook;
      })(forward);
    },
  },
  {
    name: 'a delivery that does not exist is 400',
    law: '7.2/webhooks/redeliver-unknown',
    fetch: answering((response, request) =>
      isAction('redeliver')(request) && response.status === 404
        ? refusal(400, 'validation_failed')
        : response,
    ),
  },
  {
    name: 'a cursor that is garbage is the beginning',
    law: '4/webhooks/cursor-garbage',
    fetch: asking((request) =>
      isAction('delivery')(request)
        ? askedAt(request, (path) => path.replace(/\?.*/, ''))
        : request,
    ),
  },
  {
    name: 'a new webhook has a delivery of its own creation',
    law: '7.8/webhooks/no-delivery',
    fetch: answering((response, request) =>
      isAction('delivery')(request)
        ? withMembers(response, () => ({ data: { results: [{ id: 'x' }], next: null } }))
        : response,
    ),
  },
  {
    name: 'the URL has a default',
    law: '7.2/webhooks/url',
    fetch: inInput((input) => ({ url: 'https://receiver.invalid/', ...input })),
  },
  {
    name: 'a URL of another type is made a text',
    law: '7.2/webhooks/url-type',
    fetch: inInput((input) => ({ ...input, url: input['url'] && String(input['url']) })),
  },
  {
    name: 'null is the same as absent',
    law: '1.7/webhooks/null',
    fetch: inInput((input) =>
      Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: 'any scheme is taken',
    law: '7.4/webhooks/url-scheme',
    fetch: takenUrl(/^(?!https?:)\w+:/),
  },
  {
    name: 'a URL without a scheme is taken',
    law: '7.4/webhooks/url-scheme',
    fetch: takenUrl(/^[\w.]+\//),
  },
  {
    name: 'types may be one text',
    law: '7.2/webhooks/types-form',
    fetch: inInput(({ types, ...input }) => ({
      ...input,
      ...(types !== undefined && { types: [types].flat() }),
    })),
  },
  {
    name: 'ordered may be a text',
    law: '7.2/webhooks/ordered-form',
    fetch: inInput((input) => ({
      ...input,
      ...(input['ordered'] === 'true' && { ordered: true }),
    })),
  },
  {
    name: 'the first problem is told alone',
    law: '1.8/webhooks/all-at-once',
    fetch: answering((response, request) =>
      isCreate(request) && response.status === 400
        ? withMembers(response, (error) => ({
            ...error,
            errors: (error['errors'] as unknown[]).slice(0, 1),
          }))
        : response,
    ),
  },
  {
    name: 'members that are not known are refused',
    law: '1.7/webhooks/unknown-members',
    fetch: refusedInput((input) => 'events' in input),
  },
  {
    name: 'types that are not known are refused',
    law: '7.9/webhooks/unknown-types',
    fetch: refusedInput(({ types }) => JSON.stringify(types ?? []).includes('of.no.server')),
  },
  { name: 'a creation takes a key', law: '7.9/webhooks/no-key', fetch: replaying },
  { name: 'user info is taken', law: '7.9/webhooks/user-info', fetch: takenUrl(/@/) },
  {
    name: 'a private network is forgotten',
    law: '7.9/webhooks/private-address',
    fetch: takenUrl(/\/\/172\.31/),
  },
  {
    name: 'addresses of IPv4 in those of IPv6 are forgotten',
    law: '7.9/webhooks/private-address',
    fetch: takenUrl(/ffff/),
  },
  {
    name: 'the services of a cloud are forgotten',
    law: '7.9/webhooks/private-address',
    fetch: takenUrl(/169\.254\.169/),
  },
  {
    name: 'an address in octal is a name',
    law: '7.9/webhooks/spelling',
    fetch: takenUrl(/0177/),
  },
  { name: 'any port is taken', law: '7.9/webhooks/port', fetch: takenUrl(/:\d+/) },
  {
    name: 'no port may be named',
    law: '7.9/webhooks/port-443',
    fetch: refusedInput(({ url }) => /:\d+\//.test(String(url))),
  },
];
