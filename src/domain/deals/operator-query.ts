import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import { type Alert, alertNames } from '../values/alert.js';
import { emailKey } from '../values/email.js';
import { boundedText, oneOf } from '../values/rule.js';
import { longestPartner } from '../values/tenant.js';
import { timestamp } from '../values/timestamp.js';
import { type DealFilter, dealQueryEntries, pageSize } from './deal-list.js';

/** Which deals a list of the operator contains. */
export interface OperatorFilter extends DealFilter {
  readonly partner?: string;
  readonly alert?: Alert;
  /** Deals that have had their status since before this. */
  readonly stuck_since?: string;
}

/** The checked parameters of a list of the operator. */
export interface OperatorDealQuery {
  readonly filter: OperatorFilter;
  readonly page_size: number;
  readonly cursor?: string;
}

/**
 * The rules of the parameters of a list of the operator.
 *
 * @internal
 */
export function operatorQueryEntries() {
  return {
    partner: v.exactOptional(boundedText(1, longestPartner)),
    ...dealQueryEntries(),
    alert: v.exactOptional(oneOf(alertNames)),
    stuck_since: v.exactOptional(timestamp()),
  };
}

/** The parser of the parameters of a list of the operator. */
export function createOperatorQueryParser(): Parser<OperatorDealQuery> {
  const parse = createParser(v.object(operatorQueryEntries()));
  return (input) =>
    parse(input).map(({ page_size, cursor, email_freelancer, ...filter }) => ({
      page_size,
      ...(cursor !== undefined && { cursor }),
      filter: {
        // the rules allow only values of the sets
        ...(filter as OperatorFilter),
        ...(email_freelancer === undefined ? {} : { email_key: emailKey(email_freelancer) }),
      },
    }));
}

/** The most characters of a text that deals are searched for. */
const longestSearch = 200;

/**
 * The rules of the parameters of a search.
 *
 * @internal
 */
export function searchEntries() {
  return { text: boundedText(1, longestSearch), page_size: pageSize() };
}

/** The parser of the parameters of a search. */
export function createSearchParser(): Parser<{
  readonly text: string;
  readonly page_size: number;
}> {
  return createParser(v.object(searchEntries()));
}
