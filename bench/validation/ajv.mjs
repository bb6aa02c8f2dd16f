import { Ajv } from 'ajv';
import { fields } from './rules.mjs';

// Ajv only checks: it builds no parsed value, no default and no money.
const ajv = new Ajv({ allErrors: true });

function compile(aggregate, name) {
  const entries = Object.entries(aggregate);
  return ajv.compile({
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([key, field]) => [key, propertyOf(field, `${name}.${key}`)]),
    ),
    required: entries.filter(([, { optional }]) => !optional).map(([key]) => key),
  });
}

function propertyOf({ type, holds }, format) {
  if (type === 'integer') {
    return { type, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  }
  ajv.addFormat(format, { type: 'string', validate: holds });
  return { type, format };
}

function judge(validate) {
  return (input) => (validate(input) ? undefined : validate.errors);
}

export const contender = {
  contractor: judge(compile(fields.contractor, 'contractor')),
  deal: judge(compile(fields.deal, 'deal')),
  fieldOf: ({ instancePath, params }) => params.missingProperty ?? instancePath.slice(1),
};
