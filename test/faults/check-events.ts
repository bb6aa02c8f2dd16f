import { createHash } from 'node:crypto';
import type { DomainEvent } from 'dealwright/ports';
import { eventOf, isNewEachTime } from './commands.js';
import type { Given, Journal } from './journal.js';
import { text } from './send.js';

/** Events that follow from commands, from reports of payments and from the clock. */
const following =
  /^(employer_payment|contractor_payment)\.|^proposal\.(superseded|expired)$|^deal\.(accepted|approved|completed|stage_paid|expired|amended|overdue)$/;

/** Reads the events of the life of deals: each command that was done has one event, by its key. */
export function createEventCheck(journal: Journal) {
  const told = new Map<string, DomainEvent>();
  /** The root cause of each event, and the kinds of events of each deal. */
  const roots = new Map<string, string | null>();
  const kinds = new Set<string>();
  const settled = new Set<Given>();
  const kindOf = (tenant: { readonly partner: string }, subject: string, type: string) =>
    `${tenant.partner} ${subject} ${type}`;
  return {
    read(event: DomainEvent): void {
      const { id, type, subject, cause } = event;
      const before = cause === null ? undefined : roots.get(cause);
      roots.set(id, before === undefined ? cause : before);
      kinds.add(kindOf(event, subject, type));
      const message: unknown = Reflect.get(event.data, 'message');
      if (message === undefined) {
        // terms that a partner changes before anybody has accepted them need no consent
        const isOwnConsent = type === 'proposal.accepted' && before !== undefined;
        if (!isOwnConsent && !following.test(type)) {
          journal.problems.push(`nobody asked for ${text(event)}`);
        }
        return;
      }
      const name = `${event.partner} ${message}`;
      if (told.has(name)) journal.problems.push(`is there twice: ${text(event)}`);
      told.set(name, event);
    },
    /** Compares the events with the commands so far. */
    check(): void {
      for (const given of journal.commands) {
        const { name, tenant, of, command, key, answer } = given;
        const event = told.get(`${tenant.partner} ${name}`);
        const type = eventOf[command] ?? '';
        if (event === undefined) {
          // a repeat changes nothing: only the first command has an event
          const isRepeat =
            !isNewEachTime(command) && kinds.has(kindOf(tenant, `deal:${of.name}`, type));
          if (answer !== undefined && !isRepeat) {
            journal.complain(given, `was acknowledged, and has no event ${type}`);
          }
          continue;
        }
        if (settled.has(given)) continue;
        settled.add(given);
        const cause = key === undefined ? null : createHash('sha256').update(key).digest('hex');
        const isIts = event.type === type && event.subject === `deal:${of.name}`;
        if (!isIts || roots.get(event.id) !== cause) {
          journal.complain(given, `has the event ${text(event)}`);
        }
        if (given.isRefused && answer === undefined && key === undefined) {
          journal.complain(given, 'was refused, and is done');
        }
      }
      const names = new Set(
        journal.commands.map(({ name, tenant }) => `${tenant.partner} ${name}`),
      );
      for (const [name, event] of told) {
        if (names.has(name)) continue;
        journal.problems.push(`nobody has given the command of ${text(event)}`);
      }
    },
  };
}
