import type { Tenant } from 'dealwright';

/** Something that is to be created, and what is known of it: from what was answered, not from the store. */
export interface Intent {
  readonly kind: 'contractor' | 'deal' | 'deal_v2' | 'file';
  readonly tenant: Tenant;
  /** Of nobody else: the address, the `partner_id`, the name of the file. */
  readonly name: string;
  readonly key: string | undefined;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The deal that a file is for. */
  readonly of?: Intent;
  /** Requests that were begun. */
  sent: number;
  /** The `data` of its first 201. */
  answer?: unknown;
  /** Whether somebody was told that it is there. */
  isKnown: boolean;
  /** Whether it was there when somebody looked, though nobody had been told that it is. */
  wasFound: boolean;
  /** Whether something was sent for it since it was last checked. */
  isFresh: boolean;
  /** Of a file: whether its stage was closed when it came. */
  isRefused: boolean;
}

/** A command that is given for a deal, and what is known of it. */
export interface Given {
  readonly kind: 'command';
  readonly tenant: Tenant;
  /** Of no other: its event has it as its message. */
  readonly name: string;
  /** As a path names it. */
  readonly command: string;
  readonly of: Intent;
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `data` of its first 200. */
  answer?: unknown;
  /** Whether it was refused, whatever was said before. */
  isRefused: boolean;
  /** Whether it was sent since it was last checked. */
  isFresh: boolean;
}

type Named = Pick<Intent | Given, 'kind' | 'name' | 'tenant' | 'key'>;

/** All that was asked for, and all that went wrong. */
export interface Journal {
  readonly intents: Intent[];
  readonly commands: Given[];
  /** In words; a run without a fault has none. */
  readonly problems: string[];
  /** Answers by kind and status, and the requests that got none. */
  readonly counts: Map<string, number>;
  add(intent: Omit<Intent, 'sent' | 'isKnown' | 'wasFound' | 'isFresh' | 'isRefused'>): Intent;
  count(what: string): void;
  complain(of: Named, what: string): void;
}

/** An empty one. */
export function createJournal(): Journal {
  const intents: Intent[] = [];
  const commands: Given[] = [];
  const problems: string[] = [];
  const counts = new Map<string, number>();
  return {
    intents,
    commands,
    problems,
    counts,
    add(given) {
      const told = { isKnown: false, wasFound: false, isFresh: true, isRefused: false };
      const intent = { ...given, ...told, sent: 0 };
      intents.push(intent);
      return intent;
    },
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    complain(intent, what) {
      const how = intent.key === undefined ? 'without a key' : `with the key ${intent.key}`;
      problems.push(`${intent.kind} ${intent.name} of ${intent.tenant.partner}, ${how}: ${what}`);
    },
  };
}

/** It was seen, whether or not anybody was told of it. */
export function found(intent: Intent): void {
  if (!intent.isKnown) intent.wasFound = true;
  intent.isKnown = true;
}

/** What a created deal of version 1.0 was answered with. */
export interface DealAnswer {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/** The answer to a deal of version 1.0, where there was one. */
export function dealAnswer(intent: Intent): DealAnswer | undefined {
  return intent.kind === 'deal' ? (intent.answer as DealAnswer | undefined) : undefined;
}
