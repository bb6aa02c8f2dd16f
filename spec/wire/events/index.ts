import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { eventsOfCommands } from './commands.js';
import { events } from './events.js';
import { eventFeed } from './feed.js';
import { timeLines } from './time-lines.js';

/** The laws of events, and of the ways to read them. */
export const eventGroups: readonly LawGroup<Server>[] = [
  events,
  eventsOfCommands,
  eventFeed,
  timeLines,
];
