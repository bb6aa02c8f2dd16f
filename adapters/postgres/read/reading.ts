import type { PortFailure } from 'dealwright/ports';
import type { Result } from 'neverthrow';
import { type SendOnce, sendUntil } from '../connection/send.js';
import type { Statement } from '../connection/statement.js';

export type Values = readonly (string | number)[];
/** The rows of a statement, which have one text each. */
export type Texts = readonly (string | null)[];

/** Reads with a statement, and makes an answer from its rows. */
export type Read = <T>(
  statement: Statement,
  values: Values,
  answerOf: (texts: Texts) => T,
) => Promise<Result<T, PortFailure>>;

/** The reads of a store. */
export interface Reading {
  /** Reads data of one tenant, which is the first value. */
  readonly ofTenant: Read;
  /** Reads data of all tenants: a cluster returns the rows of each of its nodes. */
  readonly ofAll: Read;
}

/** Sends each statement unchanged. */
export function createReading(send: SendOnce): Reading {
  const read: Read = (statement, values, answerOf) =>
    sendUntil(async (retries) => (await send(statement, values, 1, retries)).map(answerOf), 'read');
  return { ofTenant: read, ofAll: read };
}
