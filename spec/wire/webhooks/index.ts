import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { deliveries } from './deliveries.js';
import { deliveryLists } from './delivery-lists.js';
import { webhookFailures } from './failures.js';
import { webhookInput } from './input.js';
import { webhooks } from './webhooks.js';

/** Laws that are judged by what comes to a receiver of webhooks. */
export const receivingGroups: readonly LawGroup<Server>[] = [
  deliveries,
  webhookFailures,
  deliveryLists,
];

/** The laws of webhooks. */
export const webhookGroups: readonly LawGroup<Server>[] = [
  webhooks,
  webhookInput,
  ...receivingGroups,
];
