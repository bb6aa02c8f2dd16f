import { err, ok, type Result } from 'neverthrow';
import type * as v from 'valibot';
import type { Finding } from './issues.js';
import type { Rule } from './rule.js';

/** Takes an unknown value to a known one, or to every problem it has, one a field. */
export type Parser<T> = (input: unknown) => Result<T, readonly Finding[]>;

/** A flat object schema: what every aggregate of the interface is. */
export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

interface Field {
  readonly key: string;
  readonly expected: 'string' | 'integer';
  readonly jsType: string;
  readonly steps: readonly Step[];
  readonly optional: boolean;
  readonly fallback: unknown;
}

type Step = Rule<unknown> | Transformation;

interface Transformation {
  readonly kind: 'transformation';
  readonly operation: (value: unknown) => unknown;
}

/**
 * Makes a parser out of a valibot schema: the same rules, laid out once as a flat list of closures
 * so that a valid body costs a fraction of what walking the schema does, and an invalid one not
 * much more. A property of the tests holds the two equal, value by value and issue by issue.
 *
 * Each member of the input is read exactly once, so that a getter cannot answer the check and the
 * use differently; a member that is `undefined` is absent, as in JSON.
 */
export function createParser<const S extends ObjectSchema>(schema: S): Parser<v.InferOutput<S>> {
  const fields = Object.entries(schema.entries).map(([key, entry]) => createField(key, entry));
  return (input) => {
    if (input === null) return err([{ path: [], code: 'null_not_allowed', params: {} }]);
    if (!isRecord(input)) {
      return err([{ path: [], code: 'wrong_type', params: { expected: 'object' } }]);
    }
    const output: Record<string, unknown> = {};
    let findings: Finding[] | undefined;
    for (const field of fields) {
      const finding = judge(field, read(input, field.key), output);
      if (finding !== undefined) {
        findings ??= [];
        findings.push(finding);
      }
    }
    return findings === undefined ? ok(output as v.InferOutput<S>) : err(findings);
  };
}

/** Puts the parsed value into `output`, or says which rule of the field it breaks first. */
function judge(field: Field, value: unknown, output: Record<string, unknown>): Finding | undefined {
  if (value === undefined && field.optional) {
    if (field.fallback !== undefined) output[field.key] = field.fallback;
    return undefined;
  }
  if (typeof value !== field.jsType || Number.isNaN(value)) return mistyped(field, value);
  let parsed = value;
  for (const step of field.steps) {
    if (step.kind === 'transformation') parsed = step.operation(parsed);
    else if (!step.requirement(parsed)) {
      return { path: [field.key], code: step.message, params: step.params };
    }
  }
  output[field.key] = parsed;
  return undefined;
}

function mistyped({ key, expected }: Field, value: unknown): Finding {
  if (value === undefined) return { path: [key], code: 'required', params: {} };
  if (value === null) return { path: [key], code: 'null_not_allowed', params: {} };
  return { path: [key], code: 'wrong_type', params: { expected } };
}

/** What a member has that cannot be read: of no type that a field could want. */
const unreadable = Symbol('unreadable');

// A getter or a proxy of a caller in process may throw whatever it likes; it only fails its field.
function read(input: Record<string, unknown>, key: string): unknown {
  try {
    return input[key];
  } catch {
    return unreadable;
  }
}

function isRecord(input: unknown): input is Record<string, unknown> {
  try {
    return typeof input === 'object' && !Array.isArray(input);
  } catch {
    return false; // Array.isArray refuses a revoked proxy
  }
}

function createField(key: string, entry: v.ObjectEntries[string]): Field {
  const optional = entry as Partial<v.ExactOptionalSchema<v.StringSchema<undefined>, string>>;
  const [base, ...actions] = flatten(optional.wrapped ?? entry);
  const expected = base?.type === 'string' ? 'string' : 'integer';
  return {
    key,
    expected,
    jsType: expected === 'string' ? 'string' : 'number',
    steps: actions.filter(isStep),
    optional: entry.type === 'exact_optional',
    fallback: optional.default,
  };
}

interface Item {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Item[];
}

/** The schema itself and the actions behind it: the first item of a pipe may be a pipe too. */
function flatten(item: Item): readonly Item[] {
  return item.pipe === undefined ? [item] : item.pipe.flatMap(flatten);
}

function isStep(item: Item): item is Item & Step {
  return item.kind === 'validation' || item.kind === 'transformation';
}
