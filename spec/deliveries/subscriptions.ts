import type { Tenant } from '../../src/domain/values/tenant.js';
import type { RelayFailure } from '../../src/relay/relay-options.js';
import { check, equal, okOf } from '../expectations.js';
import { acme, acmeLive, globex } from '../store/subject.js';
import {
  feedOf,
  group,
  hour,
  idsOf,
  numbersFrom,
  pauses,
  second,
  sequencesOf,
  sorted,
} from './subject.js';
import { ownType, type ReceivedEvent } from './world.js';

const types = [ownType];
const tenants = [acme, globex, acmeLive];

/** A handler that keeps what it gets. */
function keeping() {
  const events: (ReceivedEvent & Pick<Tenant, 'environment'>)[] = [];
  const handle = (event: ReceivedEvent) => void events.push(event as (typeof events)[number]);
  return { events, handle };
}

/** The events that a handler in process gets. */
export const subscriptions = group(
  'subscriptions',
  {
    must: {
      '7/relay/subscription/each-event':
        "A handler in process gets each event of every tenant once, in the order of the tenant's feed.",
      '7.3/relay/subscription/restart':
        'A subscription that starts again under its name goes on with the first event that its handler has not had.',
      '7/relay/subscription/start':
        'A subscription under a new name begins with the first event, or after the cursor that it gets.',
      '7.3/relay/subscription/shared-name':
        'Processes that subscribe under one name share the events: each event is handed over once, in order.',
      '7.3/relay/subscription/failing-handler':
        'An event for which a handler throws is tried again, and holds back the later events of its subject and no others.',
      '7/relay/subscription/wanted':
        'A handler gets the events that the function `types` accepts, and passes all others.',
      '7.3/relay/subscription/one-by-one':
        'With `oneByOne` the outcome of each event is kept before the next one begins: if a process dies, one event at most is handed over again.',
      '7.3/relay/subscription/one-by-one-shared':
        'Processes that subscribe under one name with `oneByOne` hand each event of a tenant over once, and only one at a time.',
      '7.3/relay/subscription/one-by-one-turns':
        'With `oneByOne`, new events and events that are tried again take turns.',
      '7.7/relay/subscription/gives-up':
        'With `givesUp`, an event that fails is tried ten times on the schedule of webhooks, also by other processes; each failure tells the event, and the last one that it is given up.',
      '7.7/relay/subscription/gives-up-at-once':
        'With a function as `givesUp`, an event for whose error it returns `true` is given up at once, and no other.',
      '7.7/relay/subscription/after-giving-up':
        'Once an event was given up, the later events of its subject are handed over, once each and in order.',
    },
  },
  (define) => {
    define('7/relay/subscription/each-event', async (world) => {
      const host = world.host();
      const { events, handle } = keeping();
      for (const tenant of tenants) {
        await world.createDeal('a', tenant);
        await world.emit('a', 2, tenant);
      }
      host.subscribe(handle, { types });
      await world.until(() => events.length >= 6, 'what was there before');
      for (const tenant of tenants) {
        await world.createDeal('b', tenant);
        await world.emit('b', 3, tenant);
        await world.emit('a', 1, tenant);
      }
      await world.until(() => events.length >= 18, 'what comes later');
      await world.pass(5 * second);
      for (const tenant of tenants) {
        const { environment, partner } = tenant;
        const own = events.filter(
          (each) => each.environment === environment && each.partner === partner,
        );
        const what = `the events of ${partner} in ${environment}`;
        equal(idsOf(own), idsOf(await feedOf(host, ownType, tenant)), what);
        equal(
          [sequencesOf(own, 'a'), sequencesOf(own, 'b')],
          [
            [2, 3, 4],
            [2, 3, 4],
          ],
          what,
        );
      }
    });

    define('7.3/relay/subscription/restart', async (world) => {
      const { events, handle } = keeping();
      await world.createDeal('a');
      for (let round = 0; round < 4; round += 1) {
        const before = events.length;
        const running = world.host().subscribe(handle, { types, name: 'mail' });
        await world.emit('a', 2);
        await world.until(() => events.length >= before + 2, 'what is new');
        await world.pass(second);
        await running.stop();
        await world.emit('a');
      }
      const running = world.host().subscribe(handle, { types, name: 'mail' });
      await world.until(() => events.length >= 12, 'the last one');
      await world.pass(5 * second);
      await running.stop();
      equal(sequencesOf(events, 'a'), numbersFrom(2, 13), 'what was handed over');
    });

    define('7/relay/subscription/start', async (world) => {
      const host = world.host();
      await world.createDeal('a');
      await world.emit('a', 3);
      const { next } = okOf(await host.api.listEvents({ page_size: 3 }), 'the feed');
      const [first, again, later] = [keeping(), keeping(), keeping()];
      host.subscribe(first.handle, { types, name: 'first' });
      await world.until(() => first.events.length === 3, 'the first subscription');
      host.subscribe(again.handle, { types, name: 'again' });
      host.subscribe(later.handle, { types, name: 'later', from: () => next });
      await world.emit('a');
      await world.until(
        () =>
          [first, again, later].every(({ events }) => events.some((each) => each.sequence === 5)),
        'the new event',
      );
      await world.pass(second);
      equal(sequencesOf(first.events, 'a'), [2, 3, 4, 5], 'the first subscription');
      equal(sequencesOf(again.events, 'a'), [2, 3, 4, 5], 'that with another name');
      equal(sequencesOf(later.events, 'a'), [4, 5], 'that after a cursor');
    });

    define('7.3/relay/subscription/shared-name', async (world) => {
      const { events, handle } = keeping();
      await world.createDeal('a');
      for (let count = 0; count < 3; count += 1) world.host().subscribe(handle, { types });
      for (let count = 0; count < 10; count += 1) {
        await world.emit('a', 2);
        await world.pass(second);
      }
      await world.until(() => events.length >= 20, 'all events');
      await world.pass(10 * second);
      equal(sequencesOf(events, 'a'), numbersFrom(2, 21), 'what was handed over');
    });

    define('7.3/relay/subscription/failing-handler', async (world) => {
      const host = world.host();
      const { events, handle } = keeping();
      const told: unknown[] = [];
      let isPoisoned = true;
      let attempts = 0;
      const subscription = {
        types,
        name: 'mail',
        onFailure: ({ cause }: { readonly cause: unknown }) => told.push(cause),
      };
      const poisoned = (event: ReceivedEvent) => {
        if (isPoisoned && event.subject === 'deal:a' && event.sequence === 3) {
          attempts += 1;
          throw new Error('poisoned');
        }
        handle(event);
      };
      const running = host.subscribe(poisoned, subscription);
      await world.createDeal('a');
      await world.createDeal('b');
      await world.emit('a', 4);
      await world.emit('b', 3);
      await world.until(() => sequencesOf(events, 'b').length === 3, 'the other subject');
      await world.pass(10 * second);
      check(attempts > 2 && attempts < 8, 'it is tried again, less and less often');
      equal(told.length, attempts, 'the failures that were told');
      equal(sequencesOf(events, 'a'), [2], 'the events before it');
      await running.stop();
      const next = world.host();
      next.subscribe(poisoned, subscription);
      await world.emit('b');
      await world.until(() => sequencesOf(events, 'b').length === 4, 'the other subject, later');
      equal(sequencesOf(events, 'a'), [2], 'the events before it, still');
      isPoisoned = false;
      await world.until(() => sequencesOf(events, 'a').length >= 4, 'what waited');
      await world.pass(5 * second);
      equal(sequencesOf(events, 'a'), [2, 3, 4, 5], 'the events of it');
      equal(sequencesOf(events, 'b'), [2, 3, 4, 5], 'the events of the other subject');
    });

    define('7/relay/subscription/wanted', async (world) => {
      const { events, handle } = keeping();
      const begin = () =>
        world.host().subscribe(handle, {
          types: ({ type, subject }) => (type as string) === ownType && subject === 'deal:b',
        });
      for (const name of ['a', 'b', 'c']) await world.createDeal(name);
      const first = begin();
      for (const name of ['a', 'b', 'a', 'b', 'c']) await world.emit(name, 2);
      await world.until(() => events.length >= 4, 'what is wanted');
      await world.pass(second);
      await first.stop();
      await world.emit('a', 2);
      await world.emit('b');
      begin();
      await world.until(() => events.length >= 5, 'what is wanted later');
      await world.pass(5 * second);
      equal(sequencesOf(events, 'b'), numbersFrom(2, 6), 'the events of one subject');
      equal(events.length, 5, 'the number of all events');
    });

    define('7.3/relay/subscription/one-by-one', async (world) => {
      const { events, handle } = keeping();
      const options = { types, name: 'mail', oneByOne: true };
      await world.createDeal('a');
      await world.emit('a', 6);
      for (const last of [3, 5]) {
        const host = world.host();
        host.subscribe((event) => {
          handle(event);
          if (events.length === last) host.kill();
        }, options);
        await world.until(() => events.length >= last, 'a process dies');
        await world.pass(9 * second);
      }
      world.host().subscribe(handle, options);
      await world.until(() => events.length >= 8, 'the last events');
      await world.pass(5 * second);
      equal(sequencesOf(events, 'a'), [2, 3, 4, 4, 5, 5, 6, 7], 'what was handed over');
    });

    define('7.3/relay/subscription/one-by-one-shared', async (world) => {
      const { events, handle } = keeping();
      let [underWay, most] = [0, 0];
      const slow = async (event: ReceivedEvent) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise<void>((done) => world.timer.sleep(second, done));
        underWay -= 1;
        handle(event);
      };
      const begin = () => world.host().subscribe(slow, { types, oneByOne: true });
      for (const name of ['a', 'b']) await world.createDeal(name);
      await world.emit('a');
      const first = begin();
      await world.until(() => events.length === 1, 'the first event');
      await world.pass(second);
      await first.stop();
      for (const name of ['b', 'a', 'b']) await world.emit(name, 2);
      // they find the same place free
      for (let count = 0; count < 3; count += 1) begin();
      await world.until(() => events.length >= 7, 'all events');
      await world.pass(10 * second);
      equal(sequencesOf(events, 'a'), numbersFrom(2, 4), 'the events of one subject');
      equal(sequencesOf(events, 'b'), numbersFrom(2, 5), 'the events of the other subject');
      equal(most, 1, 'how many are handed over at once');
    });

    define('7.3/relay/subscription/one-by-one-turns', async (world) => {
      const names = numbersFrom(1, 6).map((number) => `failing-${number}`);
      for (const name of [...names, 'new']) await world.createDeal(name);
      const tried: string[] = [];
      const failing = async ({ subject }: ReceivedEvent) => {
        tried.push(subject);
        if (subject === 'deal:new') return;
        // attempts that are tried again take their time
        if (tried.length > names.length) {
          await new Promise<void>((done) => world.timer.sleep(10 * second, done));
        }
        throw new Error('no answer');
      };
      world.host().subscribe(failing, { types, oneByOne: true, givesUp: true, onFailure() {} });
      for (const name of names) await world.emit(name);
      await world.until(() => tried.length > names.length, 'one is tried again');
      await world.emit('new');
      await world.until(() => tried.includes('deal:new'), 'the new one');
      check(tried.length <= names.length + 3, 'the new one waits for two others at most');
    });

    define('7.7/relay/subscription/gives-up', async (world) => {
      const told: RelayFailure[] = [];
      const begin = () =>
        world.host().subscribe(
          () => {
            throw new Error('refused');
          },
          {
            ...{ types, name: 'mail', oneByOne: true, givesUp: true },
            onFailure: (failure) => told.push(failure),
          },
        );
      await world.createDeal('a');
      await world.emit('a');
      let running = begin();
      await world.until(() => told.length === 1, 'the first attempt');
      for (const [at, pause] of pauses.entries()) {
        await world.skip(0.8 * pause);
        equal(told.length, at + 1, `the attempts before the pause ${at + 1} is over`);
        await running.stop();
        running = begin();
        await world.skip(0.35 * pause);
        equal(told.length, at + 2, `the attempts after the pause ${at + 1}`);
      }
      await world.skip(100 * hour);
      equal(told.length, 10, 'the number of attempts');
      for (const [at, { event, isGivenUp }] of told.entries()) {
        equal([event?.subject, event?.sequence], ['deal:a', 2], 'the event of a failure');
        equal(isGivenUp, at === 9, `whether failure ${at + 1} is the last`);
      }
    });

    define('7.7/relay/subscription/gives-up-at-once', async (world) => {
      const tried: string[] = [];
      const told: (boolean | undefined)[] = [];
      const refusing = ({ subject, sequence }: ReceivedEvent) => {
        tried.push(`${subject} ${sequence}`);
        if (sequence === 2) throw new Error(subject);
      };
      for (const name of ['a', 'b']) await world.createDeal(name);
      world.host().subscribe(refusing, {
        ...{ types, oneByOne: true },
        givesUp: (cause) => Object(cause).message === 'deal:a',
        onFailure: ({ isGivenUp }) => told.push(isGivenUp),
      });
      await world.emit('a', 2);
      await world.emit('b', 2);
      await world.until(() => tried.length === 3, 'the first attempts');
      await world.skip(6 * second);
      const of = (subject: string) => tried.filter((each) => each.startsWith(subject));
      equal(of('deal:a'), ['deal:a 2', 'deal:a 3'], 'what is given up at once');
      equal(of('deal:b'), ['deal:b 2', 'deal:b 2'], 'what is tried again');
      equal(sorted(told.map(Number)), [0, 0, 1], 'what the failures tell');
    });

    define('7.7/relay/subscription/after-giving-up', async (world) => {
      const { events, handle } = keeping();
      const refusing = (event: ReceivedEvent) => {
        if (event.subject === 'deal:a' && event.sequence < 4) throw new Error('refused');
        handle(event);
      };
      for (const name of ['a', 'b']) await world.createDeal(name);
      world.host().subscribe(refusing, { types, oneByOne: true, givesUp: true, onFailure() {} });
      await world.emit('a', 4);
      await world.emit('b', 2);
      await world.until(() => events.length === 2, 'the other subject');
      // the second event begins once the first was given up
      for (const pause of [...pauses, ...pauses]) await world.skip(1.15 * pause);
      await world.emit('a');
      await world.until(() => events.length >= 5, 'the later events');
      await world.pass(5 * second);
      equal(sequencesOf(events, 'a'), [4, 5, 6], 'the later events of the subject');
      equal(sorted(sequencesOf(events, 'b')), [2, 3], 'the events of the other subject');
    });
  },
);
