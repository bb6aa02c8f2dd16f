import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { ServicePromises } from '../api/answers.js';
import type { CallOptions } from '../api/inputs.js';
import type { ContractorScope } from '../domain/deals/contractor.js';
import type { DealQuery } from '../domain/deals/deal-list.js';
import type { createSearchParser, OperatorDealQuery } from '../domain/deals/operator-query.js';
import type { Rules } from '../domain/deals/profile.js';
import type { ProposalTerms } from '../domain/deals/proposal-input.js';
import type { StagePlanner } from '../domain/deals/stage.js';
import type { WorkFileTerms } from '../domain/deals/work-file.js';
import type {
  createEventQueryParser,
  createPageQueryParser,
  createRedeliveryParser,
} from '../domain/events/event-query.js';
import type { WebhookTerms } from '../domain/events/webhook-input.js';
import type {
  ErrorCode,
  InvalidIdempotencyKey,
  Unavailable,
  WithMessage,
} from '../domain/input/errors.js';
import type { Language } from '../domain/input/messages.js';
import { inWords } from '../domain/input/messages.js';
import type { Parser } from '../domain/input/parser.js';
import type { CommandParser } from '../domain/life/command-input.js';
import type { LegalTable } from '../domain/life/legal.js';
import type { Lifecycle } from '../domain/life/rules.js';
import type { FeePolicy } from '../domain/payments/fees.js';
import { isIdempotencyKey } from '../domain/values/idempotency.js';
import type { Money } from '../domain/values/money.js';
import type { Actor, Tenant } from '../domain/values/tenant.js';
import { failureIn, portProblem } from '../ports/answer.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Timer } from '../ports/runtime.js';
import type { Store } from '../ports/store.js';
import type { Claims } from './claim-files.js';
import type { Queues } from './queues.js';
import type { Wakes } from './wakes.js';

/** The dependencies of every use case. */
export interface Context {
  readonly ports: GuardedPorts;
  readonly rules: Rules;
  readonly parseDealQuery: Parser<DealQuery>;
  readonly parseWorkFile: Parser<WorkFileTerms>;
  readonly parseEventQuery: ReturnType<typeof createEventQueryParser>;
  readonly parsePageQuery: ReturnType<typeof createPageQueryParser>;
  readonly parseWebhook: Parser<WebhookTerms>;
  readonly parseRedelivery: ReturnType<typeof createRedeliveryParser>;
  readonly parseOperatorQuery: Parser<OperatorDealQuery>;
  readonly parseSearch: ReturnType<typeof createSearchParser>;
  /** The same ports, for background work that must not count as requests. */
  readonly unseen: GuardedPorts;
  /** How many records of a tenant are processed at once: fewer while requests are answered. */
  atOnce(): number;
  readonly timer: Timer;
  /** Wakes the relays of this process after changes that no store announces. */
  readonly wakes: Wakes;
  readonly claims: Claims;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  readonly contractorScope: ContractorScope;
  readonly stagePlanner: StagePlanner;
  /** The uploads of each deal. */
  readonly uploads: Queues;
  /** The commands of each deal: in one process they need not race. */
  readonly commands: Queues;
  readonly lifecycle: Lifecycle;
  /** Milliseconds that a port has to answer. */
  readonly deadline: number;
  readonly parseCommand: CommandParser;
  /** Days that the key of a command is kept. */
  readonly keyDays: number;
  readonly creation: CreationOptions;
  readonly parseProposal: Parser<ProposalTerms>;
  /** Days of a stage that sets none, of an open proposal, and of the notice of a review. */
  readonly workDays: number;
  readonly proposalDays: number;
  readonly reviewNoticeDays: number;
  readonly tolerance: Money;
  /** The name that the host has for a partner. */
  nameOf(tenant: Tenant): string | null;
  /** What an actor could do with a deal. */
  readonly legal: LegalTable;
  readonly promises: Omit<ServicePromises, 'environment'>;
}

/** The parts of a marketplace that work without a request needs: no host reads them. */
export interface Core {
  readonly context: Context;
  readonly watch: Store['watch'];
}

export const core: unique symbol = Symbol('dealwright core');

/** The fields of new deals besides their terms. */
export interface CreationOptions {
  readonly mode: 'invoice' | 'prepaid';
  readonly feePolicy: FeePolicy;
  /** Whether deals of version 1.0 expire too. */
  readonly expireV1Deals: boolean;
  /** Days before a deal expires that the clock tells of it. */
  readonly expiryNoticeDays: number;
}

/** The caller of a call, and its options. */
export interface Call {
  readonly tenant: Tenant;
  readonly language: Language;
  readonly idempotencyKey?: string | undefined;
  readonly actor: Actor;
}

type UseCase<T, R extends Refusal> = (call: Call) => Promise<Result<T, R>>;
/** Why a use case refuses, without a message. */
export type Refusal = { readonly code: ErrorCode };

/** Runs a use case that changes nothing, for the call that these options describe. */
export function answerQuery<T, R extends Refusal>(
  tenant: Tenant,
  options: CallOptions | undefined,
  useCase: UseCase<T, R>,
): ResultAsync<T, WithMessage<R> | Unavailable> {
  return new ResultAsync(
    answer(useCase, { tenant, language: languageOf(options), actor: 'partner' }),
  );
}

/** Runs a command for the call that these options describe: a malformed key is refused first. */
export function answerCommand<T, R extends Refusal>(
  tenant: Tenant,
  options: CallOptions | undefined,
  useCase: UseCase<T, R>,
  actor: Actor = 'partner',
): ResultAsync<T, WithMessage<R> | InvalidIdempotencyKey | Unavailable> {
  const language = languageOf(options);
  const idempotencyKey = read(options, 'idempotencyKey');
  if (idempotencyKey === undefined || isIdempotencyKey(idempotencyKey)) {
    return new ResultAsync(answer(useCase, { tenant, language, idempotencyKey, actor }));
  }
  const refuse = async () => err({ code: 'invalid_idempotency_key' } as const);
  return new ResultAsync(answer(refuse, { tenant, language, actor }));
}

/** Rules and planners of a host may throw: no public call rejects. */
async function answer<T, R extends Refusal>(
  useCase: UseCase<T, R>,
  call: Call,
): Promise<Result<T, WithMessage<R> | Unavailable>> {
  try {
    const answered = await useCase(call);
    if (answered.isOk()) return ok(answered.value);
    return err(inWords(answered.error, call.language));
  } catch (cause) {
    const unknown = { outcome: 'unknown', retryable: false, cause } as const;
    const problem = failureIn(cause) ?? portProblem('unknown', unknown);
    return err(inWords(problem, call.language));
  }
}

function languageOf(options: CallOptions | undefined): Language {
  return read(options, 'language') === 'pl' ? 'pl' : 'en';
}

// options come from a caller in process, whose getters may throw: an unreadable one has no value
function read(options: CallOptions | undefined, name: keyof CallOptions): unknown {
  try {
    return options?.[name];
  } catch {
    return null;
  }
}
