import { err, ok, type Result } from 'neverthrow';
import { type Unavailable, type ValidationFailed, validationFailed } from '../domain/errors.js';
import type { Finding } from '../domain/issues.js';
import type { Parser } from '../domain/parser.js';
import type { GuardedCatalogue } from '../ports/guarded-ports.js';
import { type Call, unavailableError } from './context.js';

/**
 * Parses a command that names a subcategory, and looks the subcategory up even where other fields
 * fail, so that every problem is reported at once.
 */
export async function parseClassified<T extends object>(
  { ports }: { readonly ports: GuardedCatalogue },
  call: Call,
  input: unknown,
  parse: Parser<T>,
  field: keyof T & string,
): Promise<Result<T, ValidationFailed | Unavailable>> {
  const parsed = parse(input);
  const findings = parsed.isErr() ? parsed.error : [];
  if (findings.some(({ path }) => path.length === 0 || path[0] === field)) {
    return err(validationFailed(findings, call.language));
  }
  const id = parsed.isOk() ? Number(parsed.value[field]) : readAgain(input, field);
  if (id === undefined) return err(validationFailed(findings, call.language));
  const found = await ports.subcategory(call.tenant, id);
  if (found.isOk() && found.value === undefined) {
    const unknown: Finding = { path: [field], code: 'unknown_subcategory', params: {} };
    return err(validationFailed([...findings, unknown], call.language));
  }
  if (parsed.isErr()) return err(validationFailed(findings, call.language));
  return found.isErr() ? err(unavailableError(found.error, call)) : ok(parsed.value);
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
