import { err, ok, type Result } from 'neverthrow';
import type * as v from 'valibot';
import type { Finding, IssueCode, IssueParams } from './issues.js';
import type { Rule } from './rule.js';

/** Takes an unknown value to a known one, or to every problem it has, one a field. */
export type Parser<T> = (input: unknown) => Result<T, readonly Finding[]>;

/**
 * A flat object schema: what every aggregate of the interface is.
 *
 * @internal
 */
export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

interface Field {
  readonly key: string;
  readonly expected: 'string' | 'integer';
  readonly jsType: string;
  readonly steps: readonly Step[];
  readonly isTransformed: boolean;
  readonly optional: boolean;
  readonly fallback: unknown;
}

/** One check of a field, or, without a code, the step that turns text into the value it stands for. */
interface Step {
  readonly apply: (value: unknown) => unknown;
  readonly code: IssueCode | undefined;
  readonly params: IssueParams[IssueCode];
}

/**
 * Makes a parser out of a valibot schema: the same rules, laid out once as a flat list of closures
 * so that a valid body costs a fraction of what walking the schema does, and an invalid one not
 * much more. A property test compares the two, value by value and issue by issue.
 *
 * As in JSON, the members of an input are its own enumerable ones, and one that is `undefined` is
 * absent. They are copied before they are judged: each is read exactly once, so that a getter
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
    let findings: Finding[] | undefined;
    let known = 0;
    for (const field of fields) {
      const value = members[field.key];
      if (value === undefined && field.optional) {
        if (field.fallback === undefined) continue;
        members[field.key] = field.fallback;
      } else {
        const finding = judge(field, value, members);
        if (finding !== undefined) {
          findings ??= [];
          findings.push(finding);
        }
      }
      known += 1;
    }
    if (findings !== undefined) return err(findings);
    // copying a member at a time costs more than all the checks, and most bodies need none of it
    const output = count(members) === known ? members : select(members, fields);
    return ok(output as v.InferOutput<S>);
  };
}

/** Says which rule of its field a value breaks first, or puts what it stands for into `members`. */
function judge(
  field: Field,
  value: unknown,
  members: Record<string, unknown>,
): Finding | undefined {
  if (typeof value !== field.jsType || Number.isNaN(value)) return mistyped(field, value);
  let parsed = value;
  for (const { apply, code, params } of field.steps) {
    const answer = apply(parsed);
    if (code === undefined) parsed = answer;
    else if (answer === false) return { path: [field.key], code, params };
  }
  if (field.isTransformed) members[field.key] = parsed;
  return undefined;
}

function mistyped({ key, expected }: Field, value: unknown): Finding {
  if (value === undefined) return { path: [key], code: 'required', params: {} };
  if (value === null) return { path: [key], code: 'null_not_allowed', params: {} };
  return { path: [key], code: 'wrong_type', params: { expected } };
}

/**
 * The own members of an input, each read once; nothing where it is not an object. Getters and
 * proxies of a caller in process may throw anything: then there is no object.
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

function createField(key: string, entry: v.ObjectEntries[string]): Field {
  const { expected, actions, optional, fallback } = readEntry(entry);
  const steps = actions.flatMap(createSteps);
  return {
    key,
    expected,
    jsType: expected === 'string' ? 'string' : 'number',
    steps,
    isTransformed: steps.some((step) => step.code === undefined),
    optional,
    fallback,
  };
}

/**
 * What an entry of a schema contains: its type, and its checks in their order.
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

interface Item {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Item[];
}

/** The schema itself and the actions after it: the first item of a pipe may be a pipe too. */
function flatten(item: Item): readonly Item[] {
  return item.pipe === undefined ? [item] : item.pipe.flatMap(flatten);
}

function createSteps(item: Item): readonly Step[] {
  if (isRule(item)) {
    return [{ apply: item.requirement, code: item.message, params: item.params }];
  }
  return isTransformation(item) ? [{ apply: item.operation, code: undefined, params: {} }] : [];
}

/**
 * Says whether an item of a pipe is a rule.
 *
 * @internal
 */
export function isRule(item: Item): item is Item & Rule<unknown> {
  return item.kind === 'validation';
}

function isTransformation(item: Item): item is Item & v.TransformAction<unknown, unknown> {
  return item.kind === 'transformation';
}
