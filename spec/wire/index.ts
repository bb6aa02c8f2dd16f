import type { LawGroup } from '../laws.js';
import { authorization } from './authorization.js';
import { deliveries } from './deliveries.js';
import { deliveryLists } from './delivery-lists.js';
import { events } from './events.js';
import { eventsOfCommands } from './events-of-commands.js';
import { eventFeed } from './feed.js';
import type { Server } from './server.js';
import { timeLines } from './time-lines.js';
import { webhookFailures } from './webhook-failures.js';
import { webhookInput } from './webhook-input.js';
import { webhooks } from './webhooks.js';

/** Laws that are judged by what comes to a receiver of webhooks. */
export const receivingGroups: readonly LawGroup<Server>[] = [
  deliveries,
  webhookFailures,
  deliveryLists,
];

/** All laws that are judged over the wire. */
export const wireGroups: readonly LawGroup<Server>[] = [
  authorization,
  events,
  eventsOfCommands,
  eventFeed,
  timeLines,
  webhooks,
  webhookInput,
  ...receivingGroups,
];
