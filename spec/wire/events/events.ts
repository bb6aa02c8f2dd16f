import { check, equal, show } from '../../expectations.js';
import { expectStatus, group, type Members, type Server } from '../server.js';
import {
  endOf,
  eventsAfter,
  expectForm,
  idsOf,
  type Make,
  makeDeal,
  makeDealV2,
  mentions,
  sha256,
  timeLine,
  timestamp,
  typesOf,
  ulid,
  untilSettled,
  versions,
} from './pages.js';

/** The members of an event. */
export const eventMembers = [
  ...['id', 'type', 'environment', 'partner', 'subject'],
  ...['sequence', 'at', 'actor', 'cause', 'data'],
] as const;

/** Decision 7: what an event is. */
export const events = group(
  'events',
  {
    must: {
      '7/events/members':
        'An event has the members `id`, `type`, `environment`, `partner`, `subject`, `sequence`, `at`, `actor`, `cause` and `data`.',
      '6.2/events/created': 'The creation of a deal emits one event, `deal.created`.',
      '2.4/events/id': 'The `id` of an event is a ULID.',
      '7/events/id-unique': 'No two events have the same `id`.',
      '7/events/environment': 'The `environment` of an event is `sandbox` or `production`.',
      '7/events/partner': 'The `partner` of an event is the one whose deal it is about.',
      '7/events/subject-deal': 'The `subject` of an event of a deal is `deal:` and its partner id.',
      '7/events/subject-exact':
        'The `subject` of an event has the partner id as it was sent: neither escaped nor folded.',
      '7/events/subject-contractor':
        'The `subject` of an event of a contractor is `contractor:` and the e-mail address in lower case.',
      '7/events/sequence-first': 'The `sequence` of the first event of a subject is 1.',
      '7/events/at': 'The `at` of an event is a time in RFC 3339.',
      '7/events/actor': 'The `actor` of an event of a create is `partner`.',
      '7.6/events/cause-null':
        'The `cause` of an event of a create without an idempotency key is `null`.',
      '7.6/events/cause-key':
        'The `cause` of an event of a create is the SHA-256 of its idempotency key, in hexadecimal.',
      '7/events/no-token': 'No event has the payment token of a deal.',
      '7/events/no-account': 'No event has the IBAN or the BIC of a contractor.',
      '7/events/no-tax-number': 'No event has a tax number of a contractor.',
      '7/events/refused': 'A create that is refused emits no event.',
      '2.7/events/replay': 'A create that is repeated under its idempotency key emits no event.',
    },
  },
  (define) => {
    type Id = Parameters<typeof define>[0];
    /** A case for the first event of each kind of subject. */
    const defineInEach = (id: Id, body: (event: Members, server: Server) => Promise<void>) => {
      for (const [version, make] of versions) {
        const judge = async (server: Server) => body(await eventOfNewDeal(server, make), server);
        define(id, judge, `a deal of ${version}`);
      }
      define(id, async (server) => body(await eventOfContractor(server), server), 'a contractor');
    };

    defineInEach('7/events/members', async (event) => {
      const missing = eventMembers.filter((name) => !Object.hasOwn(event, name));
      equal(missing, [], `the members that the event lacks: ${show(event)}`);
    });

    defineInEach('2.4/events/id', async ({ id }) => expectForm(id, ulid, 'the id is a ULID'));

    defineInEach('7/events/environment', async ({ environment }) => {
      check(
        environment === 'sandbox' || environment === 'production',
        `the environment is one of the two\n  actual: ${show(environment)}`,
      );
    });

    defineInEach('7/events/partner', async ({ partner }, server) => {
      equal(partner, server.partnerName, 'the member partner');
    });

    defineInEach('7/events/sequence-first', async ({ sequence }) => {
      equal(sequence, 1, 'the sequence of the first event');
    });

    defineInEach('7/events/at', async ({ at }) => {
      expectForm(at, timestamp, 'the member at is a time in RFC 3339');
      check(!Number.isNaN(Date.parse(String(at))), `the time exists\n  actual: ${show(at)}`);
    });

    defineInEach('7/events/actor', async ({ actor }) => equal(actor, 'partner', 'the actor'));

    defineInEach('7.6/events/cause-null', async ({ cause }) => equal(cause, null, 'the cause'));

    for (const [version, make] of versions) {
      define(
        '6.2/events/created',
        async (server) => {
          const { partner_id } = await make(server);
          await untilSettled(server, make);
          const line = await timeLine(server, partner_id);
          const types = line.map(({ type }) => type);
          equal(types, ['deal.created'], 'the types of the events of a new deal');
        },
        version,
      );

      define(
        '7/events/id-unique',
        async (server) => {
          const after = await endOf(server.partner);
          const names = [await make(server), await make(server), await make(server)];
          const isOwn = (event: Members) =>
            names.some(({ partner_id }) => mentions(partner_id)(event));
          const found = await eventsAfter(server, after, isOwn, { count: 3 });
          equal(new Set(idsOf(found)).size, found.length, 'the number of ids');
        },
        version,
      );

      define(
        '7/events/subject-deal',
        async (server) => {
          const { partner_id } = await make(server);
          const [first] = await timeLine(server, partner_id);
          equal(first?.['subject'], `deal:${partner_id}`, 'the subject');
        },
        version,
      );

      define(
        '7/events/subject-exact',
        async (server) => {
          const partner_id = `${server.name('x').slice(0, 24)} :aA%41+\u0142\u{1f600}`;
          const after = await endOf(server.partner);
          await make(server, { partner_id });
          const [first] = await eventsAfter(server, after, mentions(partner_id));
          equal(first?.['subject'], `deal:${partner_id}`, 'the subject');
        },
        version,
      );
    }

    define('7/events/subject-contractor', async (server) => {
      const after = await endOf(server.partner);
      const email = `Upper.${server.email()}`;
      const body = server.contractor({ email });
      await server.partner.data('POST', '/api/1.0/contractor/', { body });
      const [event] = await eventsAfter(server, after, mentions(email));
      equal(event?.['subject'], `contractor:${email.toLowerCase()}`, 'the subject');
    });

    for (const [what, prepare] of creates) {
      define(
        '7.6/events/cause-key',
        async (server) => {
          const { path, body, name } = await prepare(server);
          const key = `${server.name('key')}~/=!`;
          const after = await endOf(server.partner);
          await server.partner.data('POST', path, { body, key });
          const [event] = await eventsAfter(server, after, mentions(name));
          equal(event?.['cause'], await sha256(key), `the cause, of the key ${key}`);
        },
        what,
      );

      define(
        '2.7/events/replay',
        async (server) => {
          const { path, body, name, make } = await prepare(server);
          const key = server.name('key');
          const after = await endOf(server.partner);
          await server.partner.data('POST', path, { body, key });
          await server.partner.data('POST', path, { body, key });
          await untilSettled(server, make);
          const found = await eventsAfter(server, after, mentions(name));
          equal(typesOf(found).length, 1, 'the number of events of the repeated create');
        },
        what,
      );

      define(
        '7/events/refused',
        async (server) => {
          const { path, body, name, make } = await prepare(server);
          const after = await endOf(server.partner);
          await server.partner.data('POST', path, { body });
          expectStatus(await server.partner.send('POST', path, { body }), 409);
          await untilSettled(server, make);
          const found = await eventsAfter(server, after, mentions(name));
          equal(typesOf(found).length, 1, 'the number of events of the refused create');
        },
        what,
      );
    }

    define('7/events/no-token', async (server) => {
      const after = await endOf(server.partner);
      const { partner_id, payment_token } = await server.makeDealV2();
      const found = await eventsAfter(server, after, mentions(partner_id));
      noneHas(found, { 'the payment token': payment_token });
    });

    const secrets = {
      '7/events/no-account': {
        bank_account_iban: 'PL61109010140000071219812874',
        bank_account_bic: 'BREXPLPWXXX',
      },
      '7/events/no-tax-number': {
        pesel: '44051401359',
        nip: '5261040828',
        tax_id: '77-954/3187',
      },
    } as const;
    for (const [id, members] of Object.entries(secrets)) {
      define(id as keyof typeof secrets, async (server) => {
        const after = await endOf(server.partner);
        const body = server.contractor(members);
        await server.partner.data('POST', '/api/1.0/contractor/', { body });
        const contractor_email = String(body['email']);
        const deal = server.deal({ contractor_email });
        await server.partner.data('POST', '/api/1.0/deal/', { body: deal });
        const isOwn = mentions(contractor_email);
        noneHas(await eventsAfter(server, after, isOwn, { count: 2 }), members);
      });
    }
  },
);

/** A create that emits an event with this name in it. */
interface Create {
  readonly path: string;
  readonly body: Members;
  readonly name: string;
  /** Makes something else. */
  readonly make: Make;
}

/** Each create, prepared up to its own request. */
const creates: readonly (readonly [what: string, prepare: (server: Server) => Promise<Create>])[] =
  [
    [
      'a contractor',
      async (server) => {
        const body = server.contractor();
        const name = String(body['email']);
        return { path: '/api/1.0/contractor/', body, name, make: makeDeal };
      },
    ],
    [
      'a deal of 1.0',
      async (server) => {
        const body = server.deal({ contractor_email: await server.registered() });
        const name = String(body['partner_id']);
        return { path: '/api/1.0/deal/', body, name, make: makeDeal };
      },
    ],
    [
      'a deal of 2.0',
      async (server) => {
        const body = server.dealV2();
        const name = String(body['partner_id']);
        return { path: '/api/2.0/deal/', body, name, make: makeDealV2 };
      },
    ],
  ];

async function eventOfNewDeal(server: Server, make: Make): Promise<Members> {
  const { partner_id } = await make(server);
  const [first] = await timeLine(server, partner_id);
  return first ?? {};
}

async function eventOfContractor(server: Server): Promise<Members> {
  const after = await endOf(server.partner);
  const [event] = await eventsAfter(server, after, mentions(await server.registered()));
  return event ?? {};
}

/** Fails the case if an event has one of these values. */
function noneHas(found: readonly Members[], secrets: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(found);
  for (const [what, secret] of Object.entries(secrets)) {
    check(!text.includes(secret), `no event has ${what}\n  actual: ${show(found)}`);
  }
}
