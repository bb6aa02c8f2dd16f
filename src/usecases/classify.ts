import { err, ok, type Result } from 'neverthrow';
import type { Subcategory } from '../domain/category.js';
import { type Unavailable, type ValidationFailed, validationFailed } from '../domain/errors.js';
import type { Finding } from '../domain/issues.js';
import type { Parser } from '../domain/parser.js';
import type { PortFailure } from '../ports/answer.js';
import { type Call, type Context, portFailed, promiseBroken } from './context.js';

/** What a catalogue is asked with. */
export type CatalogueContext = Pick<Context, 'guard'> & {
  readonly ports: Pick<Context['ports'], 'categories'>;
};

type Classified<T> = Result<T, ValidationFailed | Unavailable>;

/**
 * Parses a command that names a subcategory, and looks the subcategory up even where other fields
 * fail, so that every problem is reported at once.
 */
export function parseClassified<T extends object>(
  context: CatalogueContext,
  call: Call,
  input: unknown,
  parse: Parser<T>,
  field: keyof T & string,
): Classified<T> | Promise<Classified<T>> {
  const parsed = parse(input);
  const findings = parsed.isErr() ? parsed.error : [];
  if (findings.some(({ path }) => path.length === 0 || path[0] === field)) {
    return err(validationFailed(findings, call.language));
  }
  const id = parsed.isOk() ? Number(parsed.value[field]) : readAgain(input, field);
  if (id === undefined) return err(validationFailed(findings, call.language));
  const judge = (found: Result<Subcategory | undefined, PortFailure>): Classified<T> => {
    if (found.isOk() && found.value === undefined) {
      const unknown: Finding = { path: [field], code: 'unknown_subcategory', params: {} };
      return err(validationFailed([...findings, unknown], call.language));
    }
    if (parsed.isErr()) return err(validationFailed(findings, call.language));
    if (found.isErr()) {
      // a question that is not answered changes nothing, whatever the catalogue says of it
      const failure = { ...found.error, outcome: 'none' } as const;
      return err(portFailed('categories.subcategory', failure, call));
    }
    return isSubcategory(found.value, id)
      ? ok(parsed.value)
      : err(promiseBroken('categories.subcategory', 'not what was asked for', 'none', call));
  };
  const { categories } = context.ports;
  const found = context.guard('none', () => categories.subcategory(call.tenant, id));
  return found instanceof Promise ? found.then(judge) : judge(found);
}

/** A catalogue that answers with `null`, or whatever else, has not said that it knows the id. */
function isSubcategory(found: Subcategory | null | undefined, id: number): boolean {
  try {
    return found?.id === id;
  } catch {
    return false;
  }
}

/** A field without a finding is an integer, unless a getter answers otherwise the second time. */
function readAgain(input: unknown, field: string): number | undefined {
  try {
    const id = (input as Readonly<Record<string, unknown>>)[field];
    return Number.isSafeInteger(id) ? Number(id) : undefined;
  } catch {
    return undefined;
  }
}
