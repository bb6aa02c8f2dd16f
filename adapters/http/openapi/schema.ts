import { countryCodes, currencyCodes } from 'dealwright';
import type { FieldDescription, FieldRule } from 'dealwright/fields';

/** A JSON Schema or another part of the document: plain data, written out unchanged. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema of an object; all its members are required, except `optional`. */
export function objectOf<T extends Readonly<Record<string, Schema>>>(
  properties: T,
  optional: readonly (string & keyof T)[] = [],
): Schema {
  const required = Object.keys(properties).filter(
    (name) => !optional.some((each) => each === name),
  );
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

/** A header of a request. */
export const headerOf = (
  name: string,
  description: string,
  schema: Schema = { type: 'string' },
): Schema => ({ name, in: 'header', description, schema });

/** A reference to a schema of the document. */
export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function schemaOfFields(fields: readonly FieldDescription[], meanings: Meanings): Schema {
  return objectOf(
    Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field, meanings)])),
    fields.filter((field) => !field.required).map((field) => field.name),
  );
}

/** Descriptions of fields, by their names. */
export type Meanings = Readonly<Record<string, string>>;

/** The schema of one field: a rule without a keyword of JSON Schema is put in words. */
export function schemaOfField(field: FieldDescription, meanings: Meanings = {}): Schema {
  const notes = [meanings[field.name], ...field.rules.map(noteOf), ...defaultNote(field)].filter(
    (note) => note,
  );
  return {
    type: field.type,
    ...(field.items && { items: schemaOfField(field.items) }),
    ...(notes.length === 0 ? {} : { description: notes.join(' ') }),
    ...Object.assign({}, ...field.rules.map((rule) => keywordsOf(rule, field.rules))),
  };
}

/**
 * The default of a field in words. Generators take the keyword for a promise that the field is
 * always present, and require it in requests.
 */
export function defaultNote(field: FieldDescription): readonly string[] {
  return field.default === undefined ? [] : [`Default: ${field.default}.`];
}

/** The beginning of a decimal whose value a rule bounds; zero may have a sign. */
const signs: Partial<Readonly<Record<FieldRule['code'], string>>> = {
  not_positive: '(?=.*[1-9])',
  not_negative: '(?:-(?=[0.]+$))?',
};

/** JSON Schema counts lengths in code points, as we do (decision 1.2). */
function keywordsOf({ code, params }: FieldRule, rules: readonly FieldRule[]): Schema {
  switch (code) {
    case 'too_short':
      return params.min === 0 ? {} : { minLength: params.min };
    case 'too_long':
      return { maxLength: params.max };
    case 'wrong_length':
      return { minLength: params.length, maxLength: params.length };
    case 'out_of_range':
      return { minimum: params.min, maximum: params.max };
    case 'empty':
      return { minItems: 1 };
    case 'too_many_stages':
    case 'too_many_types':
      return { maxItems: params.max };
    case 'invalid_event_type':
      return { pattern: '^[!-+\\--~]+$' };
    case 'not_allowed':
      return { enum: params.allowed };
    case 'unknown_country':
      return { enum: [...countryCodes] };
    case 'unknown_currency':
      return { enum: [...currencyCodes] };
    case 'invalid_email':
      return { format: 'email' };
    case 'email_local_part_too_long':
      return { pattern: `^[^@]{1,${params.max}}@` };
    case 'invalid_timestamp':
      return { format: 'date-time' };
    case 'invalid_decimal': {
      // the pattern of the interface (Deal 1.0, budget), without the texts that have no digit
      const [whole, fraction] = [params.max_integer_digits, params.max_fraction_digits];
      const digits = `(?:\\d{1,${whole}}(?:\\.\\d{0,${fraction}})?|\\.\\d{1,${fraction}})`;
      const [sign] = rules.flatMap((rule) => signs[rule.code] ?? []);
      return { pattern: `^${sign ?? '-?'}${digits}$` };
    }
    default:
      return {};
  }
}

function noteOf({ code }: FieldRule): string | undefined {
  const notes: Readonly<Record<string, string>> = {
    invalid_decimal: 'A decimal number in a string, with at least one digit.',
    not_positive: 'Greater than zero.',
    invalid_event_type: 'Visible ASCII without a comma.',
    invalid_media_type: 'A media type (RFC 9110, 8.3.1).',
  };
  return notes[code];
}
