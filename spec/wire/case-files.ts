/** The files of `spec/cases`: input of operations, and what a service answers. */
export type CaseFileName =
  | 'accept'
  | 'accept-proposal'
  | 'add-bonus'
  | 'cancel'
  | 'create-deal'
  | 'create-deal-v2'
  | 'create-webhook'
  | 'dispute'
  | 'list-deals'
  | 'list-events'
  | 'operator-list-deals'
  | 'operator-list-events'
  | 'operator-search-deals'
  | 'operator-record-contractor-payment'
  | 'operator-record-employer-payment'
  | 'operator-resolve'
  | 'propose'
  | 'redeliver-all'
  | 'register-contractor'
  | 'request-changes'
  | 'sandbox-advance-clock'
  | 'upload-work-file';

export interface CaseFile {
  readonly method: 'GET' | 'POST';
  /** With names in braces. */
  readonly path: string;
  /** The values of the names in braces. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The requests that prepare an empty service. */
  readonly before?: readonly { readonly path: string; readonly body: unknown }[];
  readonly cases: readonly DataCase[];
}

/** Input, and what is to be answered: either a success, or issues, or the code of another error. */
export interface DataCase {
  readonly id: string;
  /** Sent as JSON; long texts are in short form. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly json?: string;
  /** Parameters, or the text of the query, sent as it is. */
  readonly query?: string | Readonly<Record<string, unknown>>;
  readonly valid: boolean;
  /** Members that are shown in another form than they were sent, and defaults. */
  readonly canonical?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly DataIssue[];
  readonly code?: string;
}

export interface DataIssue {
  readonly path: readonly string[];
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Reads a file of cases. The package exports them, so that they are found from a bundle too. */
export async function readCases(name: CaseFileName): Promise<CaseFile> {
  // only when cases are judged: the list of laws is for any runtime
  const { createRequire } = await import('node:module');
  return createRequire(import.meta.url)(`dealwright/spec/cases/${name}.json`);
}

/** A value with its long texts: `{ $repeat: [text, times] }` and `{ $join: parts }`. */
export function expand(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(expand);
  const { $repeat, $join } = value as { $repeat?: [string, number]; $join?: unknown[] };
  if ($repeat !== undefined) return $repeat[0].repeat($repeat[1]);
  if ($join !== undefined) return $join.map(expand).join('');
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expand(each)]));
}
