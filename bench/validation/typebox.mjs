import { FormatRegistry, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { fields } from './rules.mjs';

// TypeBox only checks: it builds no parsed value, no default and no money.
function compile(aggregate, name) {
  const properties = Object.entries(aggregate).map(([key, field]) => {
    const property = propertyOf(field, `${name}.${key}`);
    return [key, field.optional ? Type.Optional(property) : property];
  });
  return TypeCompiler.Compile(Type.Object(Object.fromEntries(properties)));
}

function propertyOf({ type, holds }, format) {
  if (type === 'integer') {
    return Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
  }
  FormatRegistry.Set(format, holds);
  return Type.String({ format });
}

function judge(compiled) {
  return (input) => (compiled.Check(input) ? undefined : [...compiled.Errors(input)]);
}

export const contender = {
  contractor: judge(compile(fields.contractor, 'contractor')),
  deal: judge(compile(fields.deal, 'deal')),
  fieldOf: ({ path }) => path.slice(1),
};
