// @ts-check
// The cases of an operation: each value to try in each field, and bodies that are wrong as a whole.
import { expand } from './compact.mjs';
import { parameterProbesOf, probesOf } from './fields.mjs';

/** @typedef {import('dealwright/fields').FieldDescription} Field */
/** @typedef {Readonly<Record<string, unknown>>} Members */

/**
 * A request of an operation: a body, the text of a body, the members of a query, or the text of one.
 *
 * @typedef {object} Asked
 * @property {string} id
 * @property {string} what
 * @property {unknown} [body]
 * @property {string} [json]
 * @property {Members | string} [query]
 */

/** @param {Members} members @param {string} name */
function without(members, name) {
  const { [name]: _, ...others } = members;
  return others;
}

/** The JSON of a value as it is sent. @param {unknown} value */
const jsonText = (value) => JSON.stringify(expand(value));

/**
 * The JSON of an object, some members of which are JSON already.
 *
 * @param {readonly (readonly [name: string, json: string])[]} written
 * @param {Members} others
 */
function jsonOf(written, others) {
  const members = Object.entries(others).map(([name, value]) => [name, jsonText(value)]);
  return `{${[...written, ...members].map(([name, json]) => `"${name}":${json}`).join()}}`;
}

/**
 * The cases of a body. `plain` is a body that is right, `full` has more members.
 *
 * @param {readonly Field[]} fields
 * @param {Members} plain
 * @param {Members} [full]
 * @returns {readonly Asked[]}
 */
export function bodyCases(fields, plain, full = plain) {
  return [
    ...wholeCases(fields, plain, full),
    ...fields.flatMap((field) => memberCases(field, plain)),
  ];
}

/**
 * The first of the cases that ask the same: a value to try can be the one of the plain body.
 *
 * @param {readonly Asked[]} cases
 * @returns {readonly Asked[]}
 */
export function distinct(cases) {
  return [...new Map([...cases].reverse().map((each) => [keyOf(each), each])).values()].reverse();
}

/** The request of a case, with its members in one order. @param {Asked} asked */
function keyOf({ id, what, ...request }) {
  return JSON.stringify(request, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
}

/**
 * The member that a case is about comes first, so that it is seen first.
 *
 * @param {Field} field
 * @param {Members} plain
 * @returns {readonly Asked[]}
 */
function memberCases(field, plain) {
  const { name } = field;
  const cases = probesOf(field, plain[name]).map((probe) => memberCase(name, probe, plain));
  if (!(name in plain)) return cases;
  const missing = { id: `${name}/missing`, what: 'The member is not there.' };
  return [...cases, { ...missing, body: without(plain, name) }];
}

/**
 * A case of one value of one member.
 *
 * @param {string} name
 * @param {import('./texts.mjs').Probe} probe
 * @param {Members} plain
 * @returns {Asked}
 */
export function memberCase(name, { id, what, value, json }, plain) {
  const others = without(plain, name);
  const named = { id: `${name}/${id}`, what };
  return json === undefined
    ? { ...named, body: { [name]: value, ...others } }
    : { ...named, json: jsonOf([[name, json]], others) };
}

/**
 * The cases of the members of an object within a body.
 *
 * @param {string} place the ids of the cases begin with it
 * @param {readonly Field[]} fields
 * @param {Members} plain an object that is right
 * @param {(members: unknown) => Members} within the whole body, of the object
 * @returns {readonly Asked[]}
 */
export function nestedCases(place, fields, plain, within) {
  const hole = 'the object';
  const [before = '', after = ''] = JSON.stringify(within(hole)).split(JSON.stringify(hole));
  return fields
    .flatMap((field) => memberCases(field, plain))
    .map(({ id, what, body, json }) => ({
      id: `${place}/${id}`,
      what,
      ...(json === undefined ? { body: within(body) } : { json: before + json + after }),
    }));
}

/** A value that the first rule of a field refuses. @param {Field} field */
function wrongValue({ type, rules }) {
  if (type === 'integer') return 30.5;
  if (type === 'array' || type === 'boolean') return 'x';
  return rules.some((rule) => rule.code === 'too_short' && rule.params.min === 0) ? '\0' : '';
}

/** @param {readonly Field[]} fields @param {Members} plain @param {Members} full @returns {readonly Asked[]} */
function wholeCases(fields, plain, full) {
  const all = (/** @type {(field: Field) => unknown} */ choose) =>
    Object.fromEntries(fields.map((field) => [field.name, choose(field)]));
  const [[first, value]] = /** @type {[[string, unknown]]} */ (
    Object.entries({ ...plain, ...full })
  );
  const others = without(plain, first);
  const right = jsonText(value);
  const capitals = Object.entries(plain).map(([name, each]) => [name.toUpperCase(), each]);
  return [
    { id: 'body/plain', what: 'A body that is right.', body: plain },
    { id: 'body/optional-members', what: 'A body with more of the optional members.', body: full },
    { id: 'body/empty', what: 'An object without members.', body: {} },
    {
      id: 'body/names-in-capitals',
      what: 'Names of members in capitals: they are other members, which are ignored.',
      body: Object.fromEntries(capitals),
    },
    {
      id: 'body/members-of-a-prototype',
      what: 'All members within `__proto__`: none of them counts.',
      json: jsonOf([['__proto__', jsonText(full)]], {}),
    },
    { id: 'body/null', what: 'The value `null` in place of an object.', body: null },
    { id: 'body/list', what: 'A list in place of an object.', body: [plain] },
    { id: 'body/text', what: 'A text in place of an object.', body: 'text' },
    { id: 'body/number', what: 'A number in place of an object.', body: 7 },
    { id: 'body/boolean', what: 'A boolean in place of an object.', body: true },
    { id: 'body/all-null', what: 'Every member is `null`.', body: all(() => null) },
    { id: 'body/all-objects', what: 'Every member is an object.', body: all(() => ({})) },
    {
      id: 'body/all-wrong',
      what: 'Every member breaks a rule, in reverse order: the order of the rules counts.',
      body: Object.fromEntries(Object.entries(all(wrongValue)).reverse()),
    },
    {
      id: 'body/unknown-members',
      what: 'Members that the operation does not know are ignored.',
      body: { unknown: { deep: [null] }, constructor: 'x', toString: 1, ...plain },
    },
    {
      id: 'body/prototype',
      what: 'A member `__proto__` is ignored like any other that is unknown.',
      json: jsonOf([['__proto__', '{"polluted":true}']], plain),
    },
    {
      id: 'body/repeated-last-is-right',
      what: 'A member twice, the last one right: the last one counts.',
      json: jsonOf(
        [
          [first, 'null'],
          [first, right],
        ],
        others,
      ),
    },
    {
      id: 'body/repeated-last-is-wrong',
      what: 'A member twice, the last one wrong: the last one counts.',
      json: jsonOf(
        [
          [first, right],
          [first, 'null'],
        ],
        others,
      ),
    },
  ];
}

/** Bodies that are not JSON. @type {readonly Asked[]} */
export const notJson = [
  ['nothing', 'An empty body.', ''],
  ['open', 'An object that does not end.', '{"email":"user@example.com"'],
  ['two-values', 'Two values.', '{} {}'],
  ['comma-at-the-end', 'A comma after the last member.', '{"email":"user@example.com",}'],
  ['single-quotes', 'Single quotation marks.', "{'email':'user@example.com'}"],
  ['name-without-quotes', 'A name without quotation marks.', '{email:"user@example.com"}'],
  ['comment', 'A comment.', '{"email":"user@example.com"}//'],
  ['line-break-in-a-text', 'A line break in a text.', '{"email":"user@example.com\n"}'],
  ['nan', 'A number that JSON does not have.', '{"email":NaN}'],
  ['form', 'A form in place of JSON.', 'email=user%40example.com'],
].map(([id, what, json]) => ({ id: `json/${id}`, what: `${what}`, json: `${json}` }));

/** The text of a query. @param {Members} parameters @param {string} more */
const queryText = (parameters, more) =>
  [...Object.entries(parameters).map(([name, value]) => `${name}=${value}`), more].join('&');

/**
 * The cases of a query; `plain` is one that is right.
 *
 * @param {readonly Field[]} fields
 * @param {Members} [plain]
 * @returns {readonly Asked[]}
 */
export function queryCases(fields, plain = {}) {
  const wrong = fields.map((field) => [field.name, `${wrongValue(field)}`]).reverse();
  return [
    { id: 'query/plain', what: 'A query that is right.', query: plain },
    {
      id: 'query/unknown-parameter',
      what: 'A parameter that the list does not have: a mistyped filter would match everything.',
      query: { colour: 'red', ...plain },
    },
    {
      id: 'query/unknown-without-value',
      what: 'A parameter that the list does not have, without a value.',
      query: queryText(plain, 'colour'),
    },
    {
      id: 'query/all-wrong',
      what: 'Every parameter breaks a rule, and one is unknown.',
      query: Object.fromEntries([['colour', 'red'], ...wrong]),
    },
    ...fields.flatMap((field) => parameterCases(field, plain)),
  ];
}

/** @param {Field} field @param {Members} plain @returns {readonly Asked[]} */
function parameterCases(field, plain) {
  const { name, rules } = field;
  const others = without(plain, name);
  const cases = parameterProbesOf(field).map(({ id, what, value }) => ({
    id: `${name}/${id}`,
    what,
    query: { [name]: value, ...others },
  }));
  const isText = rules.some(({ code }) => code === 'malformed_text');
  const bytes = { id: `${name}/not-utf-8`, what: 'Bytes that are not UTF-8.' };
  const missing = { id: `${name}/missing`, what: 'The parameter is not there.' };
  return [
    ...cases,
    ...(isText ? [{ ...bytes, query: queryText(others, `${name}=%FF`) }] : []),
    ...(name in plain ? [{ ...missing, query: others }] : []),
  ];
}
