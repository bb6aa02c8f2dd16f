import { ok, type Result } from 'neverthrow';
import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import { currencyText } from '../values/codes.js';
import type { Finding } from '../values/issues.js';
import { type Money, moneyText, positive, sumText } from '../values/money.js';
import { boundedText, integer, oneOf, rule, textOfLength } from '../values/rule.js';
import type { Command, Lifecycle, Rule } from './rules.js';

/** Parses the input of a command of an actor. */
export type CommandParser = (
  rule: InputRule,
  input: unknown,
) => Result<Omit<Command, 'name' | 'actor'>, readonly Finding[]>;

/** 1 to 2,000 characters (decision 6.7). */
const words = () => boundedText(1, 2000);

/** The statuses that a report can have. */
export const reported = {
  'record-employer-payment': [
    'processing',
    'paid',
    'failed',
    'expired',
    'partially_refunded',
    'refunded',
    'charged_back',
    'refund_failed',
    'charge_back_reversed',
    'voided',
  ],
  'record-contractor-payment': ['processing', 'paid', 'failed', 'returned'],
} as const;

/** The parts of a row that define the input of its command. */
type InputRule = Pick<Rule, 'command' | 'requires' | 'accepts' | 'stage'>;

/**
 * The rules of the input of a command (decisions 6.5 and 6.7).
 *
 * @internal
 */
export function commandEntries(given: InputRule): v.ObjectEntries {
  const { command, requires = [], accepts = [], stage } = given;
  const payment_id = v.exactOptional(boundedText(1, 26));
  if (requires.includes('report')) {
    return {
      // money of an employer may come without a request; a payout is always one of ours
      payment_id: command === 'record-contractor-payment' ? boundedText(1, 26) : payment_id,
      status: oneOf(reported[command as keyof typeof reported]),
      amount: v.exactOptional(v.pipe(sumText(), positive())),
      currency: v.exactOptional(currencyText()),
      reference: boundedText(1, 255),
    };
  }
  const agreed = rule('not_negative', (amount: Money) => amount >= 0n, {});
  return {
    ...(stage && { stage_id: v.exactOptional(integer()) }),
    ...(accepts.includes('payment_id') && { payment_id }),
    ...(accepts.includes('terms_sha256') && { terms_sha256: v.exactOptional(textOfLength(64)) }),
    ...(requires.includes('amount') && { amount: v.pipe(moneyText(), positive()) }),
    ...(requires.includes('agreed_amount') && { agreed_amount: v.pipe(moneyText(), agreed) }),
    // a bonus needs no reason
    ...(requires.includes('reason')
      ? { reason: words() }
      : !requires.includes('amount') && { reason: v.exactOptional(words()) }),
    message: v.exactOptional(words()),
  };
}

/** Makes the parsers of the commands of a life cycle; no input at all is an empty one. */
export function createCommandParser(lifecycle: Lifecycle): CommandParser {
  const parsers = new Map<string, Parser<object>>();
  const nameOf = ({ command, requires = [] }: InputRule) => [command, ...requires].join();
  for (const each of lifecycle) {
    if (each.about !== undefined) continue;
    parsers.set(nameOf(each), createParser(v.object(commandEntries(each))));
  }
  return (each, input) => {
    const parsed = parsers.get(nameOf(each))?.(input === undefined ? {} : input) ?? ok({});
    const isReport = each.requires?.includes('report') ?? false;
    // the members are those of the entries
    return parsed.map((members) => (isReport ? { report: members } : members) as object);
  };
}
