import { check, equal, show } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import {
  expectError,
  expectStatus,
  group,
  type MadeOffer,
  type Members,
  membersOf,
  type Server,
} from '../server.js';
import { eventOf, makeDealV2, mentions, sha256, timeLine, typesOf, untilSettled } from './pages.js';

/** A command, and what its event says. */
interface Row {
  readonly type: string;
  readonly actor: 'partner' | 'freelancer';
  readonly status: string;
  readonly freelancer_status: string;
  give(server: Server, offer: MadeOffer): Promise<unknown>;
}

const reason = 'Not as it was agreed.';

const byPartner =
  (name: string, body: Members = {}): Row['give'] =>
  ({ partner }, { partner_id }) =>
    partner.data('POST', `/api/2.0/deal/${partner_id}/${name}/`, { body });

const byFreelancer =
  (name: string, body: Members = {}): Row['give'] =>
  (_, { freelancer }) =>
    freelancer.data('POST', `/api/2.0/offer/${name}/`, { body });

const afterDelivery =
  (give: Row['give']): Row['give'] =>
  async (server, offer) => {
    await deliver(offer);
    await give(server, offer);
  };

/** The commands by which a deal of version 2.0 goes on from `created`, or from `delivered`. */
const commands = {
  invite: {
    ...{ type: 'deal.invited', actor: 'partner' },
    ...{ status: 'created', freelancer_status: 'invited' },
    give: byPartner('invite'),
  },
  accept: {
    ...{ type: 'deal.accepted', actor: 'freelancer' },
    ...{ status: 'accepted', freelancer_status: 'accepted' },
    give: byFreelancer('accept'),
  },
  decline: {
    ...{ type: 'deal.declined', actor: 'freelancer' },
    ...{ status: 'cancelled', freelancer_status: 'declined' },
    give: byFreelancer('decline'),
  },
  cancel: {
    ...{ type: 'deal.cancelled', actor: 'partner' },
    ...{ status: 'cancelled', freelancer_status: 'removed' },
    give: byPartner('cancel'),
  },
  deliver: {
    ...{ type: 'deal.delivered', actor: 'freelancer' },
    ...{ status: 'delivered', freelancer_status: 'accepted' },
    give: (_, offer) => deliver(offer),
  },
  'request-changes': {
    ...{ type: 'deal.changes_requested', actor: 'partner' },
    ...{ status: 'changes_requested', freelancer_status: 'accepted' },
    give: afterDelivery(byPartner('request-changes', { reason })),
  },
  approve: {
    ...{ type: 'deal.approved', actor: 'partner' },
    ...{ status: 'approved', freelancer_status: 'accepted' },
    give: afterDelivery(byPartner('approve')),
  },
  dispute: {
    ...{ type: 'deal.disputed', actor: 'freelancer' },
    ...{ status: 'disputed', freelancer_status: 'accepted' },
    give: afterDelivery(byFreelancer('dispute', { reason })),
  },
} satisfies Readonly<Record<string, Row>>;

type Command = keyof typeof commands;

/** Sections 6.2 and 6.7: the events of commands, of money and of files. */
export const eventsOfCommands = group(
  'events of commands',
  {
    must: {
      '6.2/events/type': 'A command emits the event that the table of deals names.',
      '6.7/events/data': 'The `data` of an event of a command has the `partner_id` of the deal.',
      '6.7/events/status': 'The `data` of an event of a command has the `status` after it.',
      '6.7/events/freelancer-status':
        'The `data` of an event of a command has the `freelancer_status` after it.',
      '6.7/events/actor': 'The `actor` of an event is who gave the command.',
      '6.7/events/actor-of-1-0':
        'The `actor` of an event is `partner` if the partner accepts a deal of 1.0.',
      '6.7/events/actor-operator': 'The `actor` of an event is `operator` if an operator cancels.',
      '6.7/events/reason': 'The `data` of an event has the `reason` of the command.',
      '6.7/events/message': 'The `data` of an event has the `message` of the command.',
      '6.7/events/stage-ids': 'The `data` of an event of stages has the `stage_ids` that moved.',
      '6.7/events/deliver-accepts':
        'A `deliver` that counts as acceptance emits `deal.accepted`, then `deal.delivered`.',
      '7/events/sequence': 'The `sequence` of the events of a subject rises by 1, without gaps.',
      '7.6/events/cause-of-command':
        'The `cause` of an event of a command is the SHA-256 of its idempotency key.',
      '7.6/events/cause-of-next':
        'The `cause` of each further event of one write is the `id` of the event before.',
      '6.2/events/repeat': 'A command whose effect is already there emits no event.',
      '6.2/events/illegal': 'A command that is refused emits no event.',
      '6.7/events/work-file': 'An upload emits `work_file.stored`, whose subject is the deal.',
      '6.7/events/payment-requested':
        'The approval of a deal emits `employer_payment.requested`, unless it was paid before.',
      '6.7/events/payment-paid':
        'A report of an operator that the employer paid emits `employer_payment.paid`.',
      '6.7/events/payout-scheduled':
        'Once the employer paid for an approved stage, `contractor_payment.scheduled` is emitted.',
      '7/events/no-token-of-commands': 'No event of a command has the payment token of its deal.',
    },
  },
  (define) => {
    for (const name of Object.keys(commands) as Command[]) {
      const expected = commands[name];
      const defineOf = (
        id: Parameters<typeof define>[0],
        judge: (event: Members, offer: MadeOffer) => void,
      ) => {
        const body = async (server: Server) => {
          const { event, offer } = await commanded(server, name);
          judge(event, offer);
        };
        define(id, body, name);
      };

      defineOf('6.2/events/type', ({ type }) => equal(type, expected.type, 'the type'));
      defineOf('6.7/events/actor', ({ actor }) => equal(actor, expected.actor, 'the actor'));
      defineOf('6.7/events/data', (event, { partner_id }) =>
        equal(dataOf(event)['partner_id'], partner_id, 'the partner_id in the data'),
      );
      defineOf('6.7/events/status', (event) =>
        equal(dataOf(event)['status'], expected.status, 'the status in the data'),
      );
      defineOf('6.7/events/freelancer-status', (event) => {
        const { freelancer_status } = dataOf(event);
        equal(freelancer_status, expected.freelancer_status, 'the freelancer_status in the data');
      });
    }

    for (const name of ['request-changes', 'dispute'] as const) {
      define(
        '6.7/events/reason',
        async (server) => {
          const { event } = await commanded(server, name);
          equal(dataOf(event)['reason'], reason, 'the reason in the data');
        },
        name,
      );
    }

    define('6.7/events/message', async (server) => {
      const offer = await server.makeDealV2();
      const message = 'Zg\u0142oszone \u{1f600}';
      await byFreelancer('accept', { message })(server, offer);
      const event = await eventOf(server, offer.partner_id, 'deal.accepted');
      equal(dataOf(event)['message'], message, 'the message in the data');
    });

    for (const name of ['deliver', 'request-changes', 'approve'] as const) {
      define(
        '6.7/events/stage-ids',
        async (server) => {
          const { event, offer } = await commanded(server, name);
          const deal = await server.partner.data('GET', `/api/2.0/deal/${offer.partner_id}/`);
          const stages = deal['stages'];
          check(Array.isArray(stages), `the deal shows its stages\n  actual: ${show(stages)}`);
          const ids = stages.map(({ id }) => id);
          equal(dataOf(event)['stage_ids'], ids, 'the stage_ids in the data');
        },
        name,
      );
    }

    define('6.7/events/actor-of-1-0', async (server) => {
      const { partner_id } = await server.makeDeal();
      await server.partner.data('POST', `/api/2.0/deal/${partner_id}/accept/`, { body: {} });
      const event = await eventOf(server, partner_id, 'deal.accepted');
      equal(event['actor'], 'partner', 'the actor');
    });

    define('6.7/events/actor-operator', async (server) => {
      const offer = await server.makeDealV2();
      await operate(server, offer, 'cancel', { reason });
      const event = await eventOf(server, offer.partner_id, 'deal.cancelled');
      equal(event['actor'], 'operator', 'the actor');
    });

    define('6.7/events/deliver-accepts', async (server) => {
      const { offer } = await commanded(server, 'deliver');
      const types = typesOf(await timeLine(server, offer.partner_id));
      const ofDeal = types.filter((type) => String(type).startsWith('deal.'));
      equal(ofDeal, ['deal.created', 'deal.accepted', 'deal.delivered'], 'the events of the deal');
    });

    define('7/events/sequence', async (server) => {
      const { offer } = await commanded(server, 'approve');
      const line = await timeLine(server, offer.partner_id);
      const sequences = line.map(({ sequence }) => sequence);
      const expected = line.map((_, at) => at + 1);
      equal(sequences, expected, 'the sequences of the events of the deal');
    });

    define('7.6/events/cause-of-next', async (server) => {
      const { offer, event: delivered } = await commanded(server, 'deliver');
      const accepted = await eventOf(server, offer.partner_id, 'deal.accepted');
      equal(delivered['cause'], accepted['id'], 'the cause of the second event');
    });

    define('7.6/events/cause-of-command', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const key = server.name('key');
      const path = `/api/2.0/deal/${partner_id}/invite/`;
      await server.partner.data('POST', path, { body: {}, key });
      const event = await eventOf(server, partner_id, 'deal.invited');
      equal(event['cause'], await sha256(key), `the cause, of the key ${key}`);
    });

    define('6.2/events/repeat', async (server) => {
      const offer = await server.makeDealV2();
      await byPartner('invite')(server, offer);
      await byPartner('invite')(server, offer);
      await byPartner('cancel')(server, offer);
      await byPartner('cancel')(server, offer);
      await expectWhole(server, offer, ['deal.created', 'deal.invited', 'deal.cancelled']);
    });

    define('6.2/events/illegal', async (server) => {
      const offer = await server.makeDealV2();
      const path = `/api/2.0/deal/${offer.partner_id}/approve/`;
      const reply = await server.partner.send('POST', path, { body: {} });
      expectError(reply, 409, 'illegal_transition');
      await byPartner('cancel')(server, offer);
      await expectWhole(server, offer, ['deal.created', 'deal.cancelled']);
    });

    define('6.7/events/work-file', async (server) => {
      const offer = await server.makeDealV2();
      await upload(offer);
      const event = await eventOf(server, offer.partner_id, 'work_file.stored');
      equal(event['subject'], `deal:${offer.partner_id}`, 'the subject');
    });

    define('6.7/events/payment-requested', async (server) => {
      const { offer } = await commanded(server, 'approve');
      const event = await eventOf(server, offer.partner_id, 'employer_payment.requested');
      equal(event['subject'], `deal:${offer.partner_id}`, 'the subject');
    });

    define('6.7/events/payment-paid', async (server) => {
      const { offer } = await commanded(server, 'accept');
      await reportPaid(server, offer, '1.00');
      const event = await eventOf(server, offer.partner_id, 'employer_payment.paid');
      equal(event['subject'], `deal:${offer.partner_id}`, 'the subject');
    });

    define('6.7/events/payout-scheduled', async (server) => {
      const { offer } = await commanded(server, 'approve', { amount: '25.00' });
      await reportPaid(server, offer, '25.00');
      await eventOf(server, offer.partner_id, 'contractor_payment.scheduled');
    });

    for (const name of ['accept', 'approve', 'cancel'] as const) {
      define(
        '7/events/no-token-of-commands',
        async (server) => {
          const { offer } = await commanded(server, name);
          const line = await timeLine(server, offer.partner_id);
          check(
            !line.some(mentions(offer.payment_token)),
            `no event has the payment token\n  actual: ${show(line)}`,
          );
        },
        name,
      );
    }
  },
);

/** Gives a command to a new deal; returns the event that the table names. */
async function commanded(server: Server, name: Command, changes: Members = {}) {
  const offer = await server.makeDealV2(changes);
  await commands[name].give(server, offer);
  return { offer, event: await eventOf(server, offer.partner_id, commands[name].type) };
}

const dataOf = ({ data }: Members) => membersOf(data, 'the data of the event');

const upload = ({ freelancer }: MadeOffer) =>
  freelancer.data('POST', '/api/2.0/offer/file/', {
    body: { name: 'draft.txt', content: btoa('draft') },
  });

/** Delivers the work of a deal that is `created`. */
async function deliver(offer: MadeOffer): Promise<void> {
  await upload(offer);
  const reply = await offer.freelancer.send('POST', '/api/2.0/offer/deliver/', { body: {} });
  if (reply.status === 409 && reply.members()['reason'] === 'not_paid') {
    throw new NotApplicable('the service wants the payment before the work (prepaid)');
  }
  expectStatus(reply, 200);
}

const operate = (
  { operator, partnerName }: Server,
  { partner_id }: MadeOffer,
  name: string,
  body: Members,
) => operator.data('POST', `/operator/${partnerName}/deal/${partner_id}/${name}/`, { body });

const reportPaid = (server: Server, offer: MadeOffer, amount: string) =>
  operate(server, offer, 'record-employer-payment', {
    ...{ status: 'paid', amount, reference: server.name('payment') },
  });

/** Fails the case unless the deal has events of these types and no others. */
async function expectWhole(server: Server, { partner_id }: MadeOffer, types: readonly string[]) {
  await untilSettled(server, makeDealV2);
  equal(typesOf(await timeLine(server, partner_id)), types, 'the types of the events of the deal');
}
