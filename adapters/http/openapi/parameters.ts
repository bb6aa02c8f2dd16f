import type { FieldDescription, FieldDescriptions } from 'dealwright/fields';
import type { Members, Route } from '../wire/route.js';
import { enumOf, hasEnum } from './enums.js';
import type { Example, KnownFacts } from './facts.js';
import {
  eventMeanings,
  listMeanings,
  pageMeanings,
  pathMeanings,
  searchMeanings,
} from './meanings.js';
import { defaultNote, type Meanings, type Schema, schemaOfField } from './schema.js';

/** The parameters of the path of a route. */
export function pathParametersOf(
  { path }: Route,
  { parameters = {} }: Example,
  facts: KnownFacts,
): readonly Schema[] {
  const schemas = pathSchemas(facts);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathMeanings[name],
    schema: schemas[name],
    example: parameters[name],
  }));
}

/** The schemas of path parameters, by their names. */
function pathSchemas({ fields }: KnownFacts): Readonly<Record<string, Schema>> {
  const { commands } = fields;
  const named = { type: 'string', minLength: 1 };
  const described = [...fields.deal_v2, ...fields.partner].map(
    (field) => [field.name, schemaOfField(field)] as const,
  );
  return {
    ...Object.fromEntries(described),
    id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    file_id: named,
    proposal_id: named,
    webhook_id: named,
    delivery_id: named,
    report_id: named,
    actor: { type: 'string', enum: Object.keys(commands) },
    command: {
      type: 'string',
      enum: [...new Set(Object.values(commands).flatMap((each) => Object.keys(each)))],
    },
    decision: { type: 'string', enum: ['accept', 'reject', 'withdraw'] },
  };
}

/** The parameters of the query of a route. */
export function queryParametersOf(
  route: Route,
  { parameters = {} }: Example,
  facts: KnownFacts,
): readonly Schema[] {
  const ofDeal = {
    name: 'partner_id',
    in: 'query',
    required: true,
    description: pathMeanings['partner_id'],
    schema: pathSchemas(facts)['partner_id'],
    example: parameters['partner_id'],
  };
  const isNamed = route.by === 'partner_id_parameter';
  return [...(isNamed ? [ofDeal] : []), ...listParametersOf(route, parameters, facts)];
}

/** The parameters of a list. */
function listParametersOf(
  { input, members }: Route,
  parameters: NonNullable<Example['parameters']>,
  { fields }: KnownFacts,
): readonly Schema[] {
  if (input !== 'query') return [];
  const { list, meanings } = listOf(members, fields);
  return list
    .filter(({ name }) => name in members)
    .map((field) => ({
      name: field.name,
      in: 'query',
      ...(field.required ? { required: true } : {}),
      description: [
        meanings[field.name] ?? `Deals with this ${field.name}.`,
        ...defaultNote(field),
      ].join(' '),
      schema: hasEnum(field.name) ? enumOf(field.name) : schemaOfField(field),
      ...(parameters[field.name] === undefined ? {} : { example: parameters[field.name] }),
    }));
}

/** The fields of a list of events, of deals, or of anything else, with their meanings. */
function listOf(
  members: Members,
  { partner, event_list, deal_list, operator_list, search, page }: FieldDescriptions,
): { readonly list: readonly FieldDescription[]; readonly meanings: Meanings } {
  if ('after' in members) return { list: [...partner, ...event_list], meanings: eventMeanings };
  if ('alert' in members) return { list: operator_list, meanings: listMeanings };
  if ('text' in members) return { list: search, meanings: searchMeanings };
  if ('status' in members) return { list: deal_list, meanings: listMeanings };
  return { list: page, meanings: pageMeanings };
}
