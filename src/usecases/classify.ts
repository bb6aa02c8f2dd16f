import { err, type Result } from 'neverthrow';
import {
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Parser } from '../domain/input/parser.js';
import type { Finding } from '../domain/values/issues.js';
import type { PortProblem } from '../ports/answer.js';
import type { GuardedCatalogue } from '../ports/guarded-ports.js';
import type { Call } from './context.js';

/**
 * Parses a command that names a subcategory, and looks the subcategory up even if other fields
 * fail, so that every problem is reported at once.
 */
export async function parseClassified<T extends object>(
  { ports }: { readonly ports: GuardedCatalogue },
  { tenant }: Call,
  input: unknown,
  parse: Parser<T>,
  field: keyof T & string,
): Promise<Result<T, WithoutMessage<ValidationFailed> | PortProblem>> {
  const parsed = parse(input);
  const findings = parsed.isErr() ? parsed.error : [];
  if (findings.some(({ path }) => path.length === 0 || path[0] === field)) {
    return err(validationFailed(...findings));
  }
  const id = parsed.isOk() ? Number(parsed.value[field]) : readAgain(input, field);
  if (id === undefined) return err(validationFailed(...findings));
  const found = await ports.subcategory(tenant, id);
  if (found.isOk() && found.value === undefined) {
    const unknown: Finding = { path: [field], code: 'unknown_subcategory', params: {} };
    return err(validationFailed(...findings, unknown));
  }
  if (parsed.isErr()) return err(validationFailed(...findings));
  return found.map(() => parsed.value);
}

/**
 * A field without a finding is an integer, unless a getter returns another value the second time.
 */
function readAgain(input: unknown, field: string): number | undefined {
  try {
    const id = (input as Readonly<Record<string, unknown>>)[field];
    return Number.isSafeInteger(id) ? Number(id) : undefined;
  } catch {
    return undefined;
  }
}
