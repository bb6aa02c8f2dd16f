import type { Tenant } from '../../src/domain/values/tenant.js';
import { check, equal, okOf } from '../expectations.js';
import { acme, acmeLive, globex } from '../store/subject.js';
import { feedOf, group, idsOf, numbersFrom, second, sequencesOf } from './subject.js';
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
  },
);
