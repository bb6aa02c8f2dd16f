/** A case of `spec/cases`, as its schema says. */
export interface Case {
  readonly id: string;
  readonly what: string;
  readonly body?: unknown;
  readonly json?: string;
  readonly query?: string | object;
  readonly valid: boolean;
  readonly canonical?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly CaseIssue[];
  readonly code?: string;
}

export interface CaseIssue {
  readonly path: readonly string[];
  readonly code: string;
  readonly params: object;
}

/** A file of `spec/cases`. */
export interface CaseFile {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly before?: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
  }[];
  readonly cases: readonly Case[];
}

/** A value with its long texts, as the README beside the files says. */
export function expand(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(expand);
  const { $repeat, $join } = value as {
    readonly $repeat?: readonly [string, number];
    readonly $join?: readonly unknown[];
  };
  if ($repeat !== undefined) return $repeat[0].repeat($repeat[1]);
  if ($join !== undefined) return $join.map(expand).join('');
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expand(each)]));
}
