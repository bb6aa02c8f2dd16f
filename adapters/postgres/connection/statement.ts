import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A statement that a store can send many times. Its rows have one text each: `answer`. */
export interface Statement {
  /** Its description for hooks. */
  readonly does: string;
  /** Different for each text, so that no connection confuses two of them. */
  readonly name: string;
  readonly text: string;
}

/** The longest name in bytes: the server cuts off the rest. */
export const longestName = 63;
const digestLength = 10;

/** A statement, named by its purpose and its text. */
export function statement(does: string, variant: string, text: string): Statement {
  const compact = text.replace(/\s+/g, ' ').trim();
  const digest = bytesToHex(sha256(utf8ToBytes(compact))).slice(0, digestLength);
  const label = `dealwright_${does.replace(/\W/g, '_')}${variant}`;
  const name = `${label.slice(0, longestName - digestLength - 1)}_${digest}`;
  return { does, name, text: compact };
}

/** The statement of a name, which is made once: its text must depend on the name alone. */
export type KnownStatements = (name: string, make: () => Statement) => Statement;

/** Keeps statements of one schema, for as many connections as there are. */
export function createKnownStatements(): KnownStatements {
  const statements = new Map<string, Statement>();
  return (name, make) => {
    const found = statements.get(name) ?? make();
    statements.set(name, found);
    return found;
  };
}

/** A schema's name, quoted for a statement. */
export function quoted(schema: string): string {
  return `"${schema}"`;
}

/** An array as text for PostgreSQL, which every driver sends unchanged. */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

/** An element of an array: a quoted element is text, even `"NULL"`. */
export function elementText(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
