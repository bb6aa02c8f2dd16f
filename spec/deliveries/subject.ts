import type { WebhookCreated } from '../../src/api/answers.js';
import type { DomainEvent } from '../../src/domain/events/events.js';
import type { Delivery } from '../../src/domain/events/webhook.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { equal, okOf, show } from '../expectations.js';
import { groupsOf, type LawGroup, within } from '../laws.js';
import { acme, type StoreSubject } from '../store/subject.js';
import { createWorld, type Host, ownType, type ReceivedEvent, type World } from './world.js';

/** Makes a group of laws about deliveries. */
export const group = groupsOf<World>();

/** Gives each case a world over an empty store; all of it ends whether the case passes or fails. */
export function overStores(deliveries: LawGroup<World>): LawGroup<StoreSubject> {
  return within(deliveries, (body) => async (store) => {
    const world = createWorld(store);
    try {
      await body(world);
      equal(world.failures, [], 'what the relays could not do');
    } catch (cause) {
      const [failure] = world.failures;
      if (failure === undefined) throw cause;
      // the failure of a relay explains why nothing came
      const said = cause instanceof Error ? cause.message : show(cause);
      throw new Error(`${said}\n  a relay failed: ${show(failure)}`, { cause });
    } finally {
      await world.end();
    }
  });
}

export const [second, minute, hour] = [1000, 60_000, 3_600_000];
export const day = 24 * hour;

/** Pauses from each attempt to the next, before they are spread by 10 % (decision 7.7). */
export const pauses: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** Creates a webhook that gets the events of `emit`, and no others. */
export async function addWebhook(
  { api }: Host,
  name = 'hook',
  more: { readonly types?: readonly string[]; readonly ordered?: boolean } = {},
): Promise<WebhookCreated> {
  const url = `https://${name}.example/`;
  const input = { url, types: [ownType], ...more };
  return okOf(await api.createWebhook(input), `the webhook ${name}`);
}

/** The feed of a partner, of these types. */
export async function feedOf(
  { marketplace }: Host,
  type: string = ownType,
  tenant: Tenant = acme,
): Promise<readonly DomainEvent[]> {
  const all: DomainEvent[] = [];
  for (let after: string | undefined; ; ) {
    const query = { type, page_size: 100, ...(after !== undefined && { after }) };
    const { results, next } = okOf(await marketplace.partner(tenant).listEvents(query), 'the feed');
    all.push(...results);
    if (next === after) return all;
    after = next;
  }
}

/** The deliveries of a webhook, the oldest first. */
export async function deliveriesOf({ api }: Host, id: string): Promise<readonly Delivery[]> {
  const page = okOf(await api.listDeliveries(id, { page_size: 100 }), 'the deliveries');
  return [...page.results].reverse();
}

/** The messages posted to a webhook, in their order. */
export function sentTo({ sent }: Host, name = 'hook') {
  return sent.filter(({ url }) => url === `https://${name}.example/`);
}

/** The sequences of events about one deal, in their order. */
export function sequencesOf(events: readonly ReceivedEvent[], deal: string): readonly number[] {
  return events.filter(({ subject }) => subject === `deal:${deal}`).map(({ sequence }) => sequence);
}

export function idsOf(events: readonly { readonly id: string }[]): readonly string[] {
  return events.map(({ id }) => id);
}

/** Numbers from one to another, both included. */
export function numbersFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** A copy in the order of the values. */
export function sorted<T extends string | number>(values: readonly T[]): readonly T[] {
  return [...values].sort((a, b) => (a < b ? -1 : 1));
}
