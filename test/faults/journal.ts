import type { Tenant } from 'dealwright';

/** A record to create, and the knowledge about it: from answers, not from the store. */
export interface Intent {
  readonly kind: 'contractor' | 'deal' | 'deal_v2' | 'file';
  readonly tenant: Tenant;
  /** Its unique name: the address, the `partner_id`, the name of the file. */
  readonly name: string;
  readonly key: string | undefined;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The deal of a file. */
  readonly of?: Intent;
  /** How many requests were begun. */
  sent: number;
  /** The `data` of its first 201. */
  answer?: unknown;
  /** Whether an answer has said that it exists. */
  isKnown: boolean;
  /** Whether a check found it, though no answer had acknowledged it. */
  wasFound: boolean;
  /** Whether a request for it was sent since its last check. */
  isFresh: boolean;
  /** Of a file: whether its stage was closed before it came. */
  isRefused: boolean;
}

/** A command for a deal, and the knowledge about it. */
export interface Given {
  readonly kind: 'command';
  readonly tenant: Tenant;
  /** Its unique name: its event has it as its message. */
  readonly name: string;
  /** The command as a path names it. */
  readonly command: string;
  /** Its path below the deal. */
  readonly path: string;
  readonly of: Intent;
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `data` of its first 200. */
  answer?: unknown;
  /** Whether it was refused, even after another answer. */
  isRefused: boolean;
  /** Whether it was sent since its last check. */
  isFresh: boolean;
}

type Named = Pick<Intent | Given, 'kind' | 'name' | 'tenant' | 'key'>;

/** All requests, and all problems. */
export interface Journal {
  readonly intents: Intent[];
  readonly commands: Given[];
  /** In words; a run without a fault has no problems. */
  readonly problems: string[];
  /** Answers by kind and status, and the requests without an answer. */
  readonly counts: Map<string, number>;
  add(intent: Omit<Intent, 'sent' | 'isKnown' | 'wasFound' | 'isFresh' | 'isRefused'>): Intent;
  count(what: string): void;
  complain(of: Named, what: string): void;
}

/** An empty journal. */
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

/** Notes that a record exists, acknowledged or not. */
export function found(intent: Intent): void {
  if (!intent.isKnown) intent.wasFound = true;
  intent.isKnown = true;
}

/** The answer to the creation of a deal of version 1.0. */
export interface DealAnswer {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/** The answer to a deal of version 1.0, if there was one. */
export function dealAnswer(intent: Intent): DealAnswer | undefined {
  return intent.kind === 'deal' ? (intent.answer as DealAnswer | undefined) : undefined;
}
