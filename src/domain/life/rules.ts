import type { PreconditionReason } from '../input/errors.js';
import type { DealState, Draft } from '../payments/draft.js';
import type { PaymentReport, ReportProblem } from '../payments/report.js';
import type { Row } from '../records/records.js';
import type { Money } from '../values/money.js';
import type { ProposalKind } from '../values/proposal-status.js';
import type { StageStatus } from '../values/status.js';
import type { Actor } from '../values/tenant.js';

/** A command for a deal. */
export interface Command<N extends string = string> {
  readonly name: N;
  readonly actor: Actor;
  /** Without it, a command of stages applies to every stage for which it is legal. */
  readonly stage_id?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly agreed_amount?: Money;
  readonly amount?: Money;
  /** The terms that an acceptance consents to. */
  readonly terms_sha256?: string;
  /** Consents to the terms as they are: of a freelancer of the sandbox who answers by itself. */
  readonly isBlind?: boolean;
  readonly payment_id?: string;
  readonly report?: PaymentReport;
}

/** The subject of a guard. */
export interface Judged {
  readonly state: DealState;
  readonly command: Command;
  readonly now: string;
  /** The hash of the terms of the deal. */
  termsNow?(): string;
  /** Of a command of stages: one of the stages it applies to. */
  readonly stage?: Row<'stage'>;
}

/** What must be true of a deal, beyond its state, for a command to be carried out. */
export interface Guard {
  /** The reason that the refusal gives. */
  readonly reason: PreconditionReason;
  /** The condition in words, for documents. */
  readonly says: string;
  readonly holds: (judged: Judged) => boolean;
}

/** One row of the life cycle (decisions 6.1 and 6.2). */
export interface Rule {
  readonly command: string;
  /** The freelancer of a deal of version 1.0 has no token: the partner may act in their place. */
  readonly by: readonly Actor[];
  readonly from: readonly string[];
  /** The states of the freelancer from which it is legal; without them, all. */
  readonly freelancer?: readonly string[];
  /** A command of stages: from these states to this one. */
  readonly stage?: { readonly from: readonly StageStatus[]; readonly to: StageStatus };
  readonly guards?: readonly Guard[];
  /** The members that the input must have. */
  readonly requires?: readonly ('reason' | 'agreed_amount' | 'amount' | 'report')[];
  /** The members that the input may have besides reason and message. */
  readonly accepts?: readonly ('payment_id' | 'terms_sha256')[];
  /** The state of the deal after it; without it, the state stays, or follows from the stages. */
  readonly to?: string;
  readonly freelancerTo?: string;
  /** The command that it counts as: the row of that command comes first, without its guards. */
  readonly countsAs?: string;
  /** Of the clock: when it is due. */
  readonly due?: (state: DealState) => readonly (string | null)[];
  /** Its further effect. */
  readonly effect?: (draft: Draft, command: Command) => ReportProblem | undefined;
  /** Whether it has had its effect already; by default, whether its states are reached. */
  readonly repeats?: (state: DealState, command: Command) => boolean;
  /** Of a command about proposals of these kinds: it is given with a proposal, on paths of its own. */
  readonly about?: readonly ProposalKind[];
  /** Whether it adds a stage: its id is reserved before the decision. */
  readonly addsStage?: true;
  /** Whether an open proposal has no point after it. */
  readonly endsProposals?: true;
  /** Without it, only events of payments are emitted. */
  readonly event?: string;
}

/** The life of a deal; a host may add rows to it. */
export type Lifecycle = readonly Rule[];

/** Says whether an actor can ever give a command of this row; the partner for the freelancer too. */
export function isOf({ by }: Rule, actor: Actor): boolean {
  return by.includes(actor) || (actor === 'partner' && by.includes('freelancer'));
}

/**
 * The commands that an actor can ever give, with their names in a path; not those about a proposal.
 *
 * @example
 * ```ts
 * import { commandsOf, lifecycle } from 'dealwright/life';
 *
 * commandsOf(lifecycle, 'freelancer'); // ['accept', 'decline', 'deliver', 'dispute']
 * ```
 */
export function commandsOf<L extends Lifecycle, A extends Actor>(
  lifecycle: L,
  actor: A,
): readonly CommandBy<L, A>[] {
  const own = lifecycle.filter((rule) => rule.about === undefined && isOf(rule, actor));
  // the type says of the rows what the filter says of their values
  return [...new Set(own.map(({ command }) => command))] as CommandBy<L, A>[];
}

/** The commands that `commandsOf` lists, as the compiler knows them. */
export type CommandBy<L extends Lifecycle, A extends Actor> = CommandByRule<L[number], A>;

type CommandByRule<R, A> = R extends { readonly about: readonly string[] }
  ? never
  : R extends { readonly command: infer C extends string; readonly by: readonly (infer B)[] }
    ? (A extends 'partner' ? A | 'freelancer' : A) & B extends never
      ? never
      : C
    : never;

/**
 * The method of a command: its name in camel case.
 *
 * @example
 * ```ts
 * import { methodOf } from 'dealwright/life';
 *
 * methodOf('request-changes'); // 'requestChanges'
 * ```
 */
export function methodOf<C extends string>(command: C): MethodOf<C> {
  const name = command.replace(/[- ](.)/g, (_, letter: string) => letter.toUpperCase());
  return name as MethodOf<C>;
}

/** The method of a command, as the compiler knows it. */
export type MethodOf<C extends string> = C extends `${infer First}${'-' | ' '}${infer Rest}`
  ? `${First}${Capitalize<MethodOf<Rest>>}`
  : C;
