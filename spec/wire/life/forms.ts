import { check, equal, show } from '../../expectations.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Json,
  type Members,
  membersOf,
  type Reply,
} from '../server.js';
import {
  arrayOf,
  because,
  changesNothing,
  dealIn,
  expectStatuses,
  newDeal,
  type State,
  statusesIn,
} from './deal.js';

/** The most code points of a reason or a message. */
const mostCharacters = 2000;

/** Of code points beyond the first 65,536, which UTF-16 counts twice. */
const text = (length: number) => '\u{1f4dd}'.repeat(length);

/** Decisions 1 and 6.7: the body of a command. */
export const forms = group(
  'bodies of commands',
  {
    must: {
      '6.7/life/no-body': 'A command without body and content type is a command with `{}`.',
      '6.7/life/reason-required': 'A missing reason is the issue `required`.',
      '6.7/life/no-body-reason': 'A missing reason is the issue `required` without a body, too.',
      '6.7/life/text-longest': 'A reason and a message may have 2,000 code points.',
      '6.7/life/text-too-long': 'A reason or a message of 2,001 code points is refused.',
      '6.7/life/text-empty': 'An empty reason or message is refused.',
      '1.7/life/null': '`null` for a member of a command is refused.',
      '1.8/life/all-issues': 'A command with several mistakes is refused with an issue for each.',
      '1.7/life/unknown-member': 'A member that a command does not know is ignored.',
      '1.6/life/stage-id-type': 'A `stage_id` that is no JSON integer is refused.',
      '6.1/life/stage-of-another':
        'The id of a stage of another deal is refused as one that does not exist.',
      '6.7/life/token-in-text': 'A reason or message that holds the payment token is refused.',
      '6.7/life/token-in-answer':
        'The refusal of a text with the payment token does not repeat it.',
      '5.2/life/malformed': 'A command whose body is not JSON is 400 `invalid_json`.',
      '5.2/life/no-object': 'A command whose body is JSON but not an object is 400.',
      '5.2/life/no-content-type': 'A command with a body but without a content type is 415.',
    },
  },
  (define) => {
    for (const [command, state, to] of [
      ['invite', 'created', 'invited'],
      ['cancel', 'created', 'cancelled'],
      ['approve', 'delivered', 'approved'],
      ['accept', 'created', 'accepted'],
      ['decline', 'created', 'declined'],
    ] as const) {
      const by = command === 'accept' || command === 'decline' ? 'freelancer' : 'partner';
      define(
        '6.7/life/no-body',
        async (server) => {
          const deal = await dealIn(state, server);
          expectStatus(await deal.give(by, command, {}), 200);
          expectStatuses(await deal.details(), statusesIn[to]);
        },
        command,
      );
    }

    for (const [by, command, state] of [
      ['partner', 'dispute', 'delivered'],
      ['partner', 'request-changes', 'delivered'],
      ['freelancer', 'dispute', 'delivered'],
    ] as const) {
      const missing = { path: ['reason'], code: 'required' };
      define(
        '6.7/life/reason-required',
        async (server) => {
          const deal = await dealIn(state, server);
          expectIssues(await deal.give(by, command, { body: { message: 'Why?' } }), missing);
          expectStatuses(await deal.details(), statusesIn[state]);
        },
        `${by}, ${command}`,
      );
      define(
        '6.7/life/no-body-reason',
        async (server) => {
          const deal = await dealIn(state, server);
          expectIssues(await deal.give(by, command, {}), missing);
        },
        `${by}, ${command}`,
      );
    }

    for (const by of ['partner', 'freelancer'] as const) {
      for (const member of ['reason', 'message'] as const) {
        const [command, state]: [string, State] =
          by === 'partner' ? ['invite', 'created'] : ['dispute', 'delivered'];
        const judge =
          (value: Json, expect: (reply: Reply, body: Members) => void) =>
          async (server: Parameters<typeof newDeal>[0]) => {
            const deal = await dealIn(state, server);
            const body = { ...because, [member]: value };
            expect(await deal.give(by, command, { body }), body);
          };
        const refused = (reply: Reply) => expectPaths(reply, [member]);
        const variant = `${by}, ${member}`;
        define(
          '6.7/life/text-longest',
          judge(text(mostCharacters), (reply) => expectStatus(reply, 200)),
          variant,
        );
        define('6.7/life/text-too-long', judge(text(mostCharacters + 1), refused), variant);
        define('6.7/life/text-empty', judge('', refused), variant);
        define('1.7/life/null', judge(null, refused), variant);

        define(
          '6.7/life/token-in-text',
          async (server) => {
            const deal = await dealIn(state, server);
            const body = { ...because, [member]: `See ${deal.payment_token}.` };
            const reply = await changesNothing(deal, () => deal.give(by, command, { body }));
            expectRefused(reply);
          },
          variant,
        );
        define(
          '6.7/life/token-in-answer',
          async (server) => {
            const deal = await dealIn(state, server);
            const body = { ...because, [member]: deal.payment_token };
            const reply = await deal.give(by, command, { body });
            const isRepeated = new TextDecoder().decode(reply.bytes).includes(deal.payment_token);
            check(!isRepeated, 'the answer does not hold the payment token');
          },
          variant,
        );
      }
    }

    define('1.8/life/all-issues', async (server) => {
      const deal = await dealIn('delivered', server);
      const body = { stage_id: 'first', reason: '', message: text(mostCharacters + 1) };
      const reply = await deal.give('partner', 'request-changes', { body });
      expectPaths(reply, ['message', 'reason', 'stage_id']);
    });

    define('1.7/life/unknown-member', async (server) => {
      const deal = await newDeal(server);
      const body = { status: 'completed', '': 1, constructor: { prototype: 1 } };
      await deal.done('partner', 'invite', body);
      expectStatuses(await deal.details(), statusesIn.invited);
    });

    for (const value of ['1', 1.5, true, null, {}, 2 ** 53] as const) {
      define(
        '1.6/life/stage-id-type',
        async (server) => {
          const deal = await dealIn('delivered', server);
          const body = { stage_id: value };
          const reply = await changesNothing(deal, () => deal.give('partner', 'approve', { body }));
          expectPaths(reply, ['stage_id']);
        },
        show(value),
      );
    }

    for (const [by, command, state] of [
      ['partner', 'approve', 'delivered'],
      ['partner', 'request-changes', 'delivered'],
      ['freelancer', 'deliver', 'accepted'],
    ] as const) {
      define(
        '6.1/life/stage-of-another',
        async (server) => {
          const deal = await dealIn(state, server);
          const [stage] = (await (await dealIn(state, server)).details()).stages;
          const give = async (stage_id: Json) => {
            const body = { ...because, stage_id };
            const reply = await changesNothing(deal, () => deal.give(by, command, { body }));
            expectRefused(reply);
            const { request_id: _, instance: __, ...rest } = reply.members();
            return rest;
          };
          equal(await give(stage?.id), await give(2 ** 53 - 1), 'the error');
        },
        `${by}, ${command}`,
      );
    }

    for (const by of ['partner', 'freelancer'] as const) {
      const command = by === 'partner' ? 'invite' : 'accept';
      const headers = { 'content-type': 'application/json' };
      define(
        '5.2/life/malformed',
        async (server) => {
          const deal = await newDeal(server);
          for (const raw of ['{', "{'reason': 1}", '{"reason":"why"']) {
            expectError(await deal.give(by, command, { raw, headers }), 400, 'invalid_json');
          }
        },
        by,
      );
      define(
        '5.2/life/no-object',
        async (server) => {
          const deal = await newDeal(server);
          for (const raw of ['[]', '"text"', '1', 'null']) {
            const reply = await changesNothing(deal, () =>
              deal.give(by, command, { raw, headers }),
            );
            expectStatus(reply, 400);
          }
        },
        by,
      );
      define(
        '5.2/life/no-content-type',
        async (server) => {
          const deal = await newDeal(server);
          const raw = new TextEncoder().encode('{}');
          const reply = await deal.give(by, command, { raw });
          expectError(reply, 415, 'unsupported_media_type');
        },
        by,
      );
    }
  },
);

/** Fails the case unless the answer is a validation error with an issue for exactly these members. */
function expectPaths(reply: Reply, members: readonly string[]): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  const paths = arrayOf(errors, 'the issues').map(({ path }) => path);
  const found = new Set(paths.map((path) => (Array.isArray(path) ? String(path[0]) : show(path))));
  equal([...found].sort(), members, 'the members with issues');
}

/** The decisions say that it is refused, but not how. */
function expectRefused(reply: Reply): void {
  const { status } = reply;
  check([400, 404, 409, 422].includes(status), `a refusal\n  actual: ${status}`);
  membersOf(reply.json(), 'the error');
}
