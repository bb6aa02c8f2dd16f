import { err, ok, type Result } from 'neverthrow';
import type * as v from 'valibot';
import type { Finding, IssueCode, IssueParams } from '../values/issues.js';
import { shareFinding } from './messages.js';

/** Turns an unknown value into a known one, or returns its problems, one a field. */
export type Parser<T> = (input: unknown) => Result<T, readonly Finding[]>;

/**
 * A flat object schema, as every aggregate of the interface has.
 *
 * @internal
 */
export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

interface Field {
  readonly key: string;
  readonly entry: ReturnType<typeof readEntry>;
  /** For a value of another type. */
  readonly findings: Findings;
  readonly steps: readonly Step[];
}

/** An action of a field, with its findings. */
interface Step extends Action {
  readonly findings: Findings;
}

/** A rule, a transformation of text into its value, or an action that judges nothing. */
interface Action {
  readonly breach?: ((value: unknown) => IssueCode | undefined) | undefined;
  readonly params?: Partial<IssueParams>;
  readonly operation?: ((value: unknown) => unknown) | undefined;
}

/** The finding of each rule of a field. */
type Findings = Readonly<Partial<Record<IssueCode, Finding>>>;

/**
 * Makes a parser out of a valibot schema: the same rules, laid out once as a flat list of closures
 * so that a valid body costs a fraction of what walking the schema does, and an invalid one not
 * much more. A property test compares the two, value by value and issue by issue.
 *
 * As in JSON, the members of an input are its own enumerable ones, and one that is `undefined` is
 * absent. They are copied before they are judged. Each is read exactly once, so that a getter
 * cannot answer the check and the use differently, and the output shares nothing with the input.
 *
 * @internal
 */
export function createParser<const S extends ObjectSchema>(schema: S): Parser<v.InferOutput<S>> {
  const fields = Object.entries(schema.entries).map(([key, entry]) => createField(key, entry));
  return (input) => {
    const members = copyMembers(input);
    if (members === undefined) {
      return err([
        input === null
          ? { path: [], code: 'null_not_allowed', params: {} }
          : { path: [], code: 'wrong_type', params: { expected: 'object' } },
      ]);
    }
    const findings: Finding[] = [];
    let known = 0;
    for (const field of fields) {
      const value = members[field.key];
      if (value === undefined && field.entry.optional) {
        if (field.entry.fallback === undefined) continue;
        members[field.key] = field.entry.fallback;
      } else {
        const finding = judge(field, value, members);
        if (finding !== undefined) findings.push(finding);
      }
      known += 1;
    }
    if (findings.length > 0) return err(findings);
    // copying member by member costs more than all the checks, and most bodies do not need it
    const output = count(members) === known ? members : select(members, fields);
    return ok(output as v.InferOutput<S>);
  };
}

/**
 * Returns the first rule of its field that a value breaks, or puts the parsed value into `members`.
 */
function judge(
  field: Field,
  value: unknown,
  members: Record<string, unknown>,
): Finding | undefined {
  const isTyped =
    field.entry.expected === 'string'
      ? typeof value === 'string'
      : typeof value === 'number' && !Number.isNaN(value);
  if (!isTyped) {
    const present = value === null ? 'null_not_allowed' : 'wrong_type';
    return field.findings[value === undefined ? 'required' : present];
  }
  let parsed = value;
  for (const { breach, findings, operation } of field.steps) {
    const code = breach?.(parsed);
    if (code !== undefined) return findings[code];
    if (operation !== undefined) parsed = operation(parsed);
  }
  if (!Object.is(parsed, value)) members[field.key] = parsed;
  return undefined;
}

/**
 * The own members of an input, each read once; `undefined` if it is not an object. Getters and
 * proxies of a caller in process may throw anything, which counts as no object.
 *
 * @internal
 */
export function copyMembers(input: unknown): Record<string, unknown> | undefined {
  try {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
    return { ...input };
  } catch {
    return undefined;
  }
}

function count(members: object): number {
  // a symbol is not a member of a JSON object
  let total = Object.getOwnPropertySymbols(members).length;
  for (const _ in members) total += 1;
  return total;
}

/** The members that have a field and a value. */
function select(
  members: Record<string, unknown>,
  fields: readonly Field[],
): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const { key } of fields) {
    if (members[key] !== undefined) output[key] = members[key];
  }
  return output;
}

function createField(key: string, schema: v.ObjectEntries[string]): Field {
  const entry = readEntry(schema);
  const findings = createFindings(key, {
    required: {},
    null_not_allowed: {},
    wrong_type: { expected: entry.expected },
  });
  const steps = entry.actions.map(({ breach, params = {}, operation }) => {
    return { breach, findings: createFindings(key, params), operation };
  });
  return { key, entry, findings, steps };
}

function createFindings(key: string, params: Partial<IssueParams>): Findings {
  return Object.fromEntries(
    Object.entries(params).map(([code, figures]) => [
      code,
      shareFinding({ path: [key], code, params: figures } as Finding),
    ]),
  );
}

/**
 * The type of an entry of a schema, and its checks in their order.
 *
 * @internal
 */
export function readEntry(entry: v.ObjectEntries[string]) {
  const optional = entry as Partial<v.ExactOptionalSchema<v.StringSchema<undefined>, string>>;
  const [base, ...actions] = flatten(optional.wrapped ?? entry);
  return {
    expected: base?.type === 'string' ? ('string' as const) : ('integer' as const),
    actions,
    optional: entry.type === 'exact_optional',
    fallback: optional.default as unknown,
  };
}

interface Item extends Action {
  readonly type: string;
  readonly pipe?: readonly Item[];
}

/** The schema itself and the actions after it: the first item of a pipe may be a pipe too. */
function flatten(item: Item): readonly Item[] {
  return item.pipe === undefined ? [item] : item.pipe.flatMap(flatten);
}
