import { askedWith, refusal, withMembers } from './changes.js';
import {
  bodied,
  command,
  dataOf,
  dealIn,
  erring,
  nameOf,
  ofFreelancer,
  ofPartner,
  playing,
  playingAt,
  refusing,
  send,
  type Tree,
  withBody,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

const texts = ['reason', 'message'];

/** Changes the texts of a command before they are judged. */
const retelling = (change: (text: string) => string | undefined) =>
  bodied(command('.*'), (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        texts.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
      ),
    ),
  );

const without = (name: string) => (body: Tree) => {
  const { [name]: _, ...rest } = body;
  return rest;
};

/** Mistakes in what a body may be. */
const ofForms: readonly Mutant[] = [
  {
    name: 'a command needs a content type',
    law: '6.7/life/no-body',
    fetch: playingAt(command('.*'), (request, forward) =>
      request.headers.has('content-type') ? forward(request) : refusal(415, 'unsupported'),
    ),
  },
  {
    name: 'a reason is not needed',
    law: '6.7/life/reason-required',
    fetch: bodied(command('dispute|request-changes'), (body) => ({ reason: 'None.', ...body })),
  },
  {
    name: 'a command without body is judged as one without content type',
    law: '6.7/life/no-body-reason',
    fetch: playingAt(command('dispute|request-changes'), async (request, forward) =>
      (await request.clone().text()) === '' ? refusal(415, 'unsupported') : forward(request),
    ),
  },
  {
    name: 'characters are counted by UTF-16',
    law: '6.7/life/text-longest',
    fetch: retelling((text) => (text.length > 2000 ? '' : text)),
  },
  {
    name: 'a text that is too long is cut',
    law: '6.7/life/text-too-long',
    fetch: retelling((text) => [...text].slice(0, 2000).join('')),
  },
  {
    name: 'an empty text counts as none, or gets a full stop',
    law: '6.7/life/text-empty',
    fetch: retelling((text) => (text === '' ? '.' : text)),
  },
  {
    name: 'null counts as no text',
    law: '1.7/life/null',
    fetch: bodied(command('.*'), (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          value === null && name === 'reason' ? 'None.' : (value ?? undefined),
        ]),
      ),
    ),
  },
  {
    name: 'only the first mistake is told',
    law: '1.8/life/all-issues',
    fetch: erring(command('.*'), (error) => {
      const { errors } = error;
      if (Array.isArray(errors)) error['errors'] = errors.slice(0, 1);
    }),
  },
  {
    name: 'an unknown member is refused',
    law: '1.7/life/unknown-member',
    fetch: playingAt(command('.*'), async (request, forward) =>
      /"status":"completed"/.test(await request.clone().text())
        ? refusal(400, 'validation_failed')
        : forward(request),
    ),
  },
  {
    name: 'a stage_id of digits is a number',
    law: '1.6/life/stage-id-type',
    fetch: bodied(command('.*'), (body) =>
      typeof body['stage_id'] === 'string' ? without('stage_id')(body) : body,
    ),
  },
  {
    name: 'a stage of another deal stands for the own one',
    law: '6.1/life/stage-of-another',
    fetch: bodied(command('.*'), without('stage_id')),
  },
  {
    name: 'the payment token in a text is masked',
    law: '6.7/life/token-in-text',
    fetch: retelling((text) => text.replace(/[\w~.-]{22,}/, '***')),
  },
  {
    name: 'a refusal repeats what was sent',
    law: '6.7/life/token-in-answer',
    fetch: playingAt(command('.*'), async (request, forward) => {
      const detail = await request.clone().text();
      const response = await forward(request);
      return response.ok ? response : withMembers(response, (error) => ({ ...error, detail }));
    }),
  },
  {
    name: 'a body that is not JSON is a validation error',
    law: '5.2/life/malformed',
    fetch: refusing(command('.*'), 400, 400, 'validation_failed'),
  },
  {
    name: 'a body that is no object counts as an empty one',
    law: '5.2/life/no-object',
    fetch: playingAt(command('.*'), async (request, forward) => {
      const text = await request.clone().text();
      return forward(/^[["1n]/.test(text) ? await withBody(request, () => ({})) : request);
    }),
  },
  {
    name: 'a body without content type counts as JSON',
    law: '5.2/life/no-content-type',
    fetch: playingAt(command('.*'), (request, forward) =>
      forward(askedWith(request, { 'content-type': 'application/json' })),
    ),
  },
];

const keyIn = ({ headers }: Request) => headers.get('idempotency-key');
const withoutKey = (request: Request) => askedWith(request, { 'idempotency-key': undefined });

/** The server does not look at keys where this is so. */
const forgetting = (
  isSo: (
    request: Request,
    forward: (request: Request) => Promise<Response>,
  ) => boolean | Promise<boolean>,
) =>
  playing(async (request, forward) =>
    forward(
      keyIn(request) !== null && (await isSo(request.clone(), forward))
        ? withoutKey(request)
        : request,
    ),
  );

/** A key is taken as used if it was used under the same name before, with another request. */
const reusing = (
  scopeOf: (request: Request) => string,
  asked: (text: string) => string = String,
) => {
  const used = new Map<string, string>();
  return playing(async (request, forward) => {
    const key = keyIn(request);
    if (key === null) return forward(request);
    const scope = `${key} ${scopeOf(request)}`;
    const input = `${nameOf(request)} ${asked(await request.clone().text())}`;
    if ((used.get(scope) ?? input) !== input) return refusal(422, 'idempotency_key_reused');
    used.set(scope, input);
    return forward(request);
  });
};

/** Mistakes with idempotency keys. */
const ofKeys: readonly Mutant[] = [
  {
    name: 'a key is used up by its success',
    law: '6.2/life/key-replay',
    fetch: (() => {
      const used = new Set<string>();
      return playing((request, forward) => {
        const use = `${nameOf(request)} ${keyIn(request)}`;
        if (keyIn(request) !== null && used.has(use)) return refusal(409, 'illegal_transition');
        used.add(use);
        return forward(request);
      });
    })(),
  },
  {
    name: 'a replay is the deal of now',
    law: '6.2/life/key-replay-moved',
    fetch: forgetting((request) => command('invite|accept').test(nameOf(request))),
  },
  {
    name: 'the state is judged before the key',
    law: '6.2/life/key-replay-illegal',
    fetch: forgetting((request) => command('request-changes').test(nameOf(request))),
  },
  {
    name: 'a key says nothing about the input',
    law: '6.2/life/key-input',
    fetch: forgetting(() => true),
  },
  {
    name: 'each command has keys of its own',
    law: '6.2/life/key-command',
    fetch: playing((request, forward) =>
      forward(
        keyIn(request) === null
          ? request
          : askedWith(request, { 'idempotency-key': `${keyIn(request)}${nameOf(request).at(-2)}` }),
      ),
    ),
  },
  {
    name: 'a used key in a wrong state is 409',
    law: '6.7/life/key-before-state',
    fetch: refusing(ofPartner('invite'), 422, 409, 'illegal_transition'),
  },
  {
    name: 'the key is judged before the form',
    law: '6.7/life/form-before-key',
    fetch: reusing(dealIn),
  },
  {
    name: 'the input of a key is the text of its body',
    law: '2.7/life/key-canonical',
    fetch: reusing(dealIn),
  },
  {
    name: 'a key is of all deals',
    law: '6.7/life/key-per-deal',
    fetch: reusing(() => ''),
  },
  {
    name: 'a key is of all actors',
    law: '6.7/life/key-per-actor',
    fetch: reusing(() => ''),
  },
  {
    name: 'a key is of all partners',
    law: '6.7/life/key-per-partner',
    fetch: reusing(
      () => '',
      (text) => text,
    ),
  },
  {
    name: 'a key of a create is used up for commands',
    law: '6.2/life/key-per-scope',
    fetch: reusing(() => ''),
  },
  {
    name: 'the first answer is kept, also a refusal',
    law: '2.7/life/key-failed',
    fetch: (() => {
      const first = new Map<string, Response>();
      return playing(async (request, forward) => {
        const key = keyIn(request);
        if (key === null) return forward(request);
        const kept = first.get(key) ?? (await forward(request));
        first.set(key, kept.clone());
        return kept;
      });
    })(),
  },
  {
    name: 'a command that changed nothing forgets its key',
    law: '6.7/life/key-of-nothing',
    fetch: forgetting(async (request, forward) => {
      if (!ofPartner('invite').test(nameOf(request))) return false;
      return (await dataOf(request, forward))['freelancer_status'] === 'invited';
    }),
  },
  {
    name: 'a malformed key counts as none',
    law: '2.7/life/key-malformed',
    fetch: forgetting((request) => !/^[!-~]{1,255}$/.test(keyIn(request) ?? '')),
  },
  {
    name: 'a key has at most 64 characters',
    law: '2.7/life/key-length',
    fetch: playing((request, forward) =>
      (keyIn(request) ?? '').length > 64
        ? refusal(400, 'invalid_idempotency_key')
        : forward(request),
    ),
  },
];

/** Mistakes in who reaches a deal. */
const ofReach: readonly Mutant[] = [
  {
    name: 'a deal that does not exist is forbidden',
    law: '2.5/life/unknown-deal',
    fetch: refusing(command('.*'), 404, 403, 'forbidden'),
  },
  {
    name: 'the deal of another partner is forbidden',
    law: '2.5/life/foreign-deal',
    fetch: playingAt(ofPartner('.*'), async (request, forward) => {
      const owned = await dataOf(
        askedWith(request.clone(), { authorization: 'Token sandbox-acme' }),
        forward,
      );
      const isForeign = request.headers.get('authorization') !== 'Token sandbox-acme';
      return isForeign && 'status' in owned ? refusal(403, 'forbidden') : forward(request);
    }),
  },
  {
    name: 'the deal of another partner is refused, but moves',
    law: '2.5/life/foreign-unchanged',
    fetch: playingAt(ofPartner('approve'), async (request, forward) => {
      const response = await forward(request.clone());
      if (response.status === 404) await send(forward, request, new URL(request.url).pathname, {});
      return response;
    }),
  },
  {
    name: 'a command of others is a method that is not allowed',
    law: '6.7/life/no-route',
    fetch: refusing(ofPartner('.*'), 404, 405, 'method_not_allowed'),
  },
  {
    name: 'a command of others is illegal for a freelancer',
    law: '6.7/freelancer/no-route',
    fetch: refusing(ofFreelancer('.*'), 404, 409, 'illegal_transition'),
  },
];

export const mutants: readonly Mutant[] = [...ofForms, ...ofKeys, ...ofReach];
