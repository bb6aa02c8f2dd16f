import { z } from 'zod';
import { fields, toMinorUnits } from './rules.mjs';

/** Zod 4 with its compiled object parser; it builds the parsed value, as we do. */
export function schemaOf(aggregate) {
  return z.object(
    Object.fromEntries(Object.entries(aggregate).map(([key, field]) => [key, fieldOf(field)])),
  );
}

function fieldOf({ type, holds, message, money, optional, fallback }) {
  if (type === 'integer') return fallback === undefined ? z.int() : z.int().default(fallback);
  const checked = z.string().refine(holds, message);
  if (money) return checked.transform(toMinorUnits);
  return optional ? checked.optional() : checked;
}

function judge(schema) {
  return (input) => schema.safeParse(input).error?.issues;
}

export const contender = {
  contractor: judge(schemaOf(fields.contractor)),
  deal: judge(schemaOf(fields.deal)),
  fieldOf: (issue) => issue.path[0],
};
