import { answering, pathOf, withMembers } from './changes.js';
import {
  extraEvent,
  inEvents,
  inEventsOf,
  inPages,
  isTimeLine,
  type Members,
  withData,
} from './event-changes.js';
import type { Mutant } from './mutant.js';

/** Remembers values of requests and answers, and shows them in the data of every event. */
const showing =
  (find: (text: string) => string | undefined): Mutant['fetch'] =>
  (forward) => {
    let value: string | undefined;
    const show = inEvents((event) => withData(event, { note: value }))(forward);
    return async (request) => {
      value = find(await request.clone().text()) ?? value;
      const response = await show(request);
      value = find(await response.clone().text()) ?? value;
      return response;
    };
  };

const memberIn = (name: string) => (text: string) =>
  new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1];

const without = (name: string) => (event: Members) => {
  const { [name]: _, ...rest } = event;
  return rest;
};

const inData = (change: (data: Members) => Members) => (event: Members) => ({
  ...event,
  data: change(Object(event['data'])),
});

const base64 = (hex: unknown) => Buffer.from(String(hex), 'hex').toString('base64');

const isDigest = (cause: unknown) => /^[0-9a-f]{64}$/.test(String(cause));

export const mutants: readonly Mutant[] = [
  ...['cause', 'actor', 'environment'].map((name) => ({
    name: `an event has no ${name}`,
    law: '7/events/members',
    fetch: inEvents(without(name)),
  })),
  {
    name: 'ids are UUIDs',
    law: '2.4/events/id',
    fetch: inEvents((event) => ({ ...event, id: crypto.randomUUID() })),
  },
  {
    name: 'the second event has the id of the first',
    law: '7/events/id-unique',
    fetch: inPages(({ results, next }) => ({
      results: results.map((event) => ({ ...event, id: results[0]?.['id'] })),
      next,
    })),
  },
  {
    name: 'the environment has a name of its own',
    law: '7/events/environment',
    fetch: inEvents((event) => ({ ...event, environment: 'test' })),
  },
  {
    name: 'the partner is its token',
    law: '7/events/partner',
    fetch: inEvents((event) => ({ ...event, partner: 'sandbox-acme' })),
  },
  {
    name: 'the subject is the bare id',
    law: '7/events/subject-deal',
    fetch: inEvents((event) => ({ ...event, subject: String(event['subject']).slice(5) })),
  },
  {
    name: 'the subject is escaped as in a URL',
    law: '7/events/subject-exact',
    fetch: inEvents((event) => ({
      ...event,
      subject: encodeURIComponent(String(event['subject'])).replace('%3A', ':'),
    })),
  },
  {
    name: 'the subject is in lower case',
    law: '7/events/subject-exact',
    fetch: inEvents((event) => ({ ...event, subject: String(event['subject']).toLowerCase() })),
  },
  {
    name: 'the subject has the address as it was sent',
    law: '7/events/subject-contractor',
    fetch: inEvents((event) => ({
      ...event,
      subject: String(event['subject']).replace('contractor:upper', 'contractor:Upper'),
    })),
  },
  {
    name: 'sequences begin with 0',
    law: '7/events/sequence-first',
    fetch: inEvents((event) => ({ ...event, sequence: Number(event['sequence']) - 1 })),
  },
  {
    name: 'sequences have gaps',
    law: '7/events/sequence',
    fetch: inEvents((event) => ({ ...event, sequence: 2 * Number(event['sequence']) - 1 })),
  },
  {
    name: 'two events of one write have one sequence',
    law: '7/events/sequence',
    fetch: inEventsOf('deal.delivered', (event) => ({
      ...event,
      sequence: Number(event['sequence']) - 1,
    })),
  },
  {
    name: 'times are milliseconds',
    law: '7/events/at',
    fetch: inEvents((event) => ({ ...event, at: Date.parse(String(event['at'])) })),
  },
  {
    name: 'times have no offset',
    law: '7/events/at',
    fetch: inEvents((event) => ({ ...event, at: String(event['at']).replace('Z', '') })),
  },
  {
    name: 'the actor is the role of the interface',
    law: '7/events/actor',
    fetch: inEvents((event) => ({ ...event, actor: 'employer' })),
  },
  {
    name: 'the cause without a key is a digest of nothing',
    law: '7.6/events/cause-null',
    fetch: inEvents((event) => ({ ...event, cause: event['cause'] ?? '' })),
  },
  {
    name: 'the cause is in base64',
    law: '7.6/events/cause-key',
    fetch: inEvents((event) => ({
      ...event,
      cause: isDigest(event['cause']) ? base64(event['cause']) : event['cause'],
    })),
  },
  {
    name: 'the cause of a command is forgotten',
    law: '7.6/events/cause-of-command',
    fetch: inEventsOf('deal.invited', (event) => ({ ...event, cause: null })),
  },
  {
    name: 'both events of a write have the cause of the first',
    law: '7.6/events/cause-of-next',
    fetch: inEventsOf('deal.delivered', (event) => ({ ...event, cause: null })),
  },
  {
    name: 'the payment token is in the event of a deal',
    law: '7/events/no-token',
    fetch: showing(memberIn('payment_token')),
  },
  {
    name: 'the payment token is in the event of a command',
    law: '7/events/no-token-of-commands',
    fetch: showing(memberIn('payment_token')),
  },
  ...['bank_account_iban', 'bank_account_bic'].map((name) => ({
    name: `${name} is in the event of a contractor`,
    law: '7/events/no-account',
    fetch: showing(memberIn(name)),
  })),
  ...['pesel', 'nip', 'tax_id'].map((name) => ({
    name: `${name} is in the event of a contractor`,
    law: '7/events/no-tax-number',
    fetch: showing(memberIn(name)),
  })),
  {
    name: 'a create that is refused emits an event',
    law: '7/events/refused',
    fetch: extraEvent((status) => status === 409),
  },
  {
    name: 'a create that is repeated emits an event',
    law: '2.7/events/replay',
    fetch: extraEvent(
      (status, count, { headers }) => status === 201 && count > 1 && headers.has('idempotency-key'),
    ),
  },
  {
    name: 'a command that is repeated emits an event',
    law: '6.2/events/repeat',
    fetch: extraEvent((status, count) => status === 200 && count > 1),
  },
  {
    name: 'a command that is refused emits an event',
    law: '6.2/events/illegal',
    fetch: extraEvent((status) => status === 409),
  },
  {
    name: 'a create emits deal.updated too',
    law: '6.2/events/created',
    fetch: inEventsOf('deal.created', (event) => [
      event,
      { ...event, id: String(event['id']).replace(/..$/, 'ZZ'), type: 'deal.updated' },
    ]),
  },
  {
    name: 'deal.delivered is deal.submitted',
    law: '6.2/events/type',
    fetch: inEventsOf('deal.delivered', (event) => ({ ...event, type: 'deal.submitted' })),
  },
  {
    name: 'the data of commands lacks the deal',
    law: '6.7/events/data',
    fetch: inEvents(inData(({ partner_id: _, ...data }) => data)),
  },
  {
    name: 'the status is that before the command',
    law: '6.7/events/status',
    fetch: inEventsOf('deal.accepted', (event) => withData(event, { status: 'created' })),
  },
  {
    name: 'the status of the freelancer is left out',
    law: '6.7/events/freelancer-status',
    fetch: inEvents(inData(({ freelancer_status: _, ...data }) => data)),
  },
  {
    name: 'the actor is always the partner',
    law: '6.7/events/actor',
    fetch: inEvents((event) => ({ ...event, actor: 'partner' })),
  },
  {
    name: 'the actor of an acceptance is always the freelancer',
    law: '6.7/events/actor-of-1-0',
    fetch: inEventsOf('deal.accepted', (event) => ({ ...event, actor: 'freelancer' })),
  },
  {
    name: 'an operator acts for the partner',
    law: '6.7/events/actor-operator',
    fetch: inEventsOf('deal.cancelled', (event) => ({ ...event, actor: 'partner' })),
  },
  ...['reason', 'message'].map((name) => ({
    name: `the ${name} stays with the deal`,
    law: `6.7/events/${name}`,
    fetch: inEvents(inData(({ [name]: _, ...data }) => data)),
  })),
  {
    name: 'no stage is named if all move',
    law: '6.7/events/stage-ids',
    fetch: inEvents(inData(({ stage_ids: _, ...data }) => data)),
  },
  {
    name: 'a delivery that accepts says so alone',
    law: '6.7/events/deliver-accepts',
    fetch: inPages(({ results, next }) => ({
      results: results.some(({ type }) => type === 'deal.delivered')
        ? results.filter(({ type }) => type !== 'deal.accepted')
        : results,
      next,
    })),
  },
  ...[
    ['work_file.stored', '6.7/events/work-file'],
    ['employer_payment.requested', '6.7/events/payment-requested'],
    ['employer_payment.paid', '6.7/events/payment-paid'],
    ['contractor_payment.scheduled', '6.7/events/payout-scheduled'],
  ].map(([type = '', law = '']) => ({
    name: `${type} is not emitted`,
    law,
    fetch: inEventsOf(type, () => []),
  })),
  {
    name: 'the file has a subject of its own',
    law: '6.7/events/work-file',
    fetch: inEventsOf('work_file.stored', (event) => ({ ...event, subject: 'work_file:1' })),
  },
  // of time lines
  {
    name: 'the time line has no event of the creation',
    law: '7.1/timeline/own',
    fetch: inEvents((event) => (event['type'] === 'deal.created' ? [] : event), isTimeLine),
  },
  {
    name: 'the time line leaves out the cause',
    law: '7.1/timeline/feed',
    fetch: inEvents(without('cause'), isTimeLine),
  },
  {
    name: 'the time line of a new deal is not found',
    law: '6.7/timeline/by-id',
    fetch: answering((response, request) =>
      pathOf(request) === '/api/2.0/deal/by-id/event/'
        ? withMembers(response, () => ({ data: { results: [], next: 'x' } }))
        : response,
    ),
  },
];
