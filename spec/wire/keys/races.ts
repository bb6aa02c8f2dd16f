import { check, equal } from '../../expectations.js';
import { type Create, createDealV2, inEachCreate } from '../creates/create.js';
import {
  expectError,
  expectStatus,
  group,
  type Members,
  type Reply,
  type Server,
} from '../server.js';

/** Decision 2.7: creates that come at the same time. */
export const keyRaces = group(
  'concurrent creates with a key',
  {
    must: {
      '2.7/keys/race': 'Concurrent creates with one key and one input all succeed.',
      '2.7/keys/race-one-answer':
        'Concurrent creates with one key and one input all get the same `data`.',
      '2.7/keys/race-one-token':
        'The payment token of concurrent creates with one key is the one that the deal has.',
      '2.7/keys/race-with-others':
        "Of concurrent creates of one record, those with the winner's key succeed and all others are 409.",
      '2.7/keys/race-other-input':
        'Of concurrent creates with one key and different input, one succeeds and the others are 422.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);

    inEach('2.7/keys/race', async (server, create) => {
      for (const reply of await race(server, create, await create.valid(server))) {
        expectStatus(reply, 201);
      }
    });

    inEach('2.7/keys/race-one-answer', async (server, create) => {
      const replies = await race(server, create, await create.valid(server));
      const [first, ...others] = replies.map((reply) => reply.members()['data']);
      for (const other of others) equal(other, first, 'the member data of each');
    });

    define('2.7/keys/race-one-token', async (server) => {
      const body = server.dealV2();
      const replies = await race(server, createDealV2, body);
      const details = await createDealV2.read(server.partner, body, {});
      for (const reply of replies) {
        const { payment_token } = Object(reply.members()['data']);
        equal(payment_token, details['payment_token'], 'the payment token of each');
      }
    });

    inEach('2.7/keys/race-with-others', async (server, create) => {
      const body = await create.valid(server);
      const keys = [server.name('key'), server.name('key'), undefined];
      const replies = await Promise.all(
        [...keys, ...keys, ...keys].map(async (key) => {
          const request = key === undefined ? { body } : { body, key };
          return { key, reply: await server.partner.send('POST', create.path, request) };
        }),
      );
      const winner = replies.find(({ reply }) => reply.status === 201);
      check(winner !== undefined, 'one of the creates succeeds');
      const isWinner = (each: (typeof replies)[number]) =>
        each === winner || (each.key !== undefined && each.key === winner.key);
      for (const each of replies) {
        if (isWinner(each)) expectStatus(each.reply, 201);
        else expectError(each.reply, 409, create.exists);
      }
    });

    inEach('2.7/keys/race-other-input', async (server, create) => {
      const key = server.name('key');
      const bodies = await Promise.all(Array.from({ length: 6 }, () => create.valid(server)));
      const replies = await Promise.all(
        bodies.map((body) => server.partner.send('POST', create.path, { body, key })),
      );
      const won = replies.filter(({ status }) => status === 201);
      equal(won.length, 1, 'the number of successes');
      for (const reply of replies) {
        if (reply.status !== 201) expectError(reply, 422, 'idempotency_key_reused');
      }
    });
  },
);

/** The answers to concurrent creates with one key. */
function race({ partner, name }: Server, create: Create, body: Members): Promise<Reply[]> {
  const key = name('key');
  return Promise.all(
    Array.from({ length: 8 }, () => partner.send('POST', create.path, { body, key })),
  );
}
