// @ts-check
// The values to try in each field, made from its description.
import { expand } from './compact.mjs';
import { decimalProbes, integerProbes, integerTexts } from './numbers.mjs';
import {
  base64Probes,
  choiceProbes,
  countryProbes,
  currencyProbes,
  emailProbes,
  mediaTypeProbes,
  probes,
  textProbes,
  timestampProbes,
} from './texts.mjs';

/** @typedef {import('dealwright/fields').FieldDescription} Field */
/** @typedef {import('./texts.mjs').Probe} Probe */

/** The rules of text that is bounded in its length alone. */
const ofText = ['malformed_text', 'forbidden_character', 'too_short', 'too_long', 'wrong_length'];

/**
 * The values to try in a member of a body; `valid` is one that is accepted.
 *
 * @param {Field} field
 * @param {unknown} [valid]
 * @returns {readonly Probe[]}
 */
export function probesOf(field, valid = 30) {
  const { name, type, items, rules } = field;
  if (type === 'integer') return integerProbes(rules, Number(valid));
  if (type === 'boolean') return booleanProbes;
  if (type === 'array' && items !== undefined) return listProbes(field, items);
  for (const rule of rules) {
    switch (rule.code) {
      case 'too_many_stages':
        return stageListProbes(rule.params.max);
      case 'empty':
        continue;
      case 'not_allowed':
        return choiceProbes(rule.params.allowed);
      case 'invalid_decimal':
        return decimalProbes(rule.params.max_integer_digits, rule.params.max_fraction_digits);
      case 'invalid_email':
        return emailProbes;
      case 'unknown_country':
        return countryProbes;
      case 'unknown_currency':
        return currencyProbes;
      case 'invalid_timestamp':
        return timestampProbes;
      case 'invalid_base64':
        return base64Probes;
      case 'invalid_media_type':
        return [...textProbes(rules), ...mediaTypeProbes];
      case 'invalid_event_type':
        return [...textProbes(rules), ...eventTypeProbes];
      default:
        if (!ofText.includes(rule.code)) throw new Error(`${name}: no value tries ${rule.code}`);
    }
  }
  return textProbes(rules);
}

/**
 * The values to try in a parameter of a query, where everything is text.
 *
 * @param {Field} field
 * @returns {readonly Probe[]}
 */
export function parameterProbesOf(field) {
  if (field.type === 'integer') return integerTexts(field.rules);
  return probesOf(field).filter(({ value }) => typeof expand(value) === 'string');
}

/** Lists of stages that are added. @param {number} max */
const stageListProbes = (max) => {
  const stages = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => ({ name: 'A page', budget: '1.00' }));
  return probes([
    ['one', 'One stage.', stages(1)],
    ['most', `As many stages as a deal may have: ${max}.`, stages(max)],
    ['one-too-many', 'One stage too many.', stages(max + 1)],
    ['empty', 'A list without stages.', []],
    ['no-object', 'A stage that is no object.', [7]],
    ['text', 'A text in place of a list.', 'A page'],
    ['object', 'An object in place of a list.', { 0: { name: 'A page', budget: '1.00' } }],
    ['null', 'The value `null`, which no member may have.', null],
  ]);
};

const booleanProbes = probes([
  ['true', 'The value `true`.', true],
  ['false', 'The value `false`.', false],
  ['null', 'The value `null`, which no member may have.', null],
  ['text', 'A text in place of a boolean.', 'true'],
  ['number', 'A number in place of a boolean.', 1],
]);

/** The type of an event: of the interface, or of a host. */
const eventTypeProbes = probes([
  ['of-the-interface', 'A type of the interface.', 'deal.created'],
  ['of-a-host', 'A type that only this host may know.', 'invoice:sent/v1'],
  ['comma', 'A comma: it separates types in a filter.', 'deal.created,deal.accepted'],
  ['space', 'A space.', 'deal created'],
  ['control-character', 'A control character.', 'deal\u0007'],
  ['beyond-ascii', 'A letter beyond ASCII.', 'dęal.created'],
]);

/**
 * A list, and each value to try in one of its items, beside one that is valid.
 *
 * @param {Field} list
 * @param {Field} item
 * @returns {readonly Probe[]}
 */
function listProbes({ rules }, item) {
  const lengths = rules.flatMap((rule) => {
    if (rule.code !== 'too_many_types') return [];
    const { max } = rule.params;
    const many = (/** @type {number} */ count) =>
      Array.from({ length: count }, (_, at) => `t${at}`);
    return probes([
      ['most', `As many items as a list may have: ${max}.`, many(max)],
      ['one-too-many', 'One item too many.', many(max + 1)],
      ['too-many-and-wrong', 'One item too many, and one is wrong.', ['', ...many(max)]],
    ]);
  });
  return [
    ...probes([
      ['empty', 'A list without items.', []],
      ['two', 'Two items.', ['deal.created', 'deal.accepted']],
      ['repeated', 'The same item twice: it counts once.', ['deal.created', 'deal.created']],
      ['two-wrong', 'Two items that are wrong.', ['', 'deal.created', 7]],
      ['text', 'A text in place of a list.', 'deal.created'],
      ['object', 'An object in place of a list.', { 0: 'deal.created' }],
      ['null', 'The value `null`, which no member may have.', null],
    ]),
    ...lengths,
    ...probesOf(item).map(({ id, what, value, json }) => ({
      id: `item/${id}`,
      what: `In an item: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
      ...(json === undefined
        ? { value: ['deal.created', value] }
        : { json: `["deal.created",${json}]` }),
    })),
  ];
}
