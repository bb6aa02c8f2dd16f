import type { Route } from '../wire/route.js';
import { bodyName } from './bodies.js';
import type { KnownFacts } from './document.js';
import { enumOf, hasEnum } from './enums.js';
import type { Example } from './examples.js';
import { securityOf, tagOf } from './faces.js';
import { listMeanings, pathMeanings } from './meanings.js';
import { purposeOf } from './purposes.js';
import { refusalsOf, successesOf } from './responses.js';
import { defaultNote, refTo, type Schema, schemaOfField } from './schema.js';

/** One route as an operation of the document. */
export function operationOf(route: Route, example: Example, facts: KnownFacts): Schema {
  const { summary, description } = purposeOf(route);
  const content = contentOf(route, example);
  return {
    operationId: route.name,
    summary,
    description,
    tags: [tagOf(route)],
    ...securityOf(route),
    ...(route.version === '1.0' ? { deprecated: true } : {}),
    parameters: parametersOf(route, example, facts),
    ...(content === undefined
      ? {}
      : { requestBody: { required: isRequired(route, facts), content } }),
    responses: {
      ...successesOf(route, example, facts),
      ...refusalsOf(route, example, facts),
    },
  };
}

const ofHeader = (
  name: string,
  description: string,
  schema: Schema = { type: 'string' },
): Schema => ({
  name,
  in: 'header',
  description,
  schema,
});

/** The parameters that operations share; without examples, which a page would send by itself. */
export const sharedParameters: Readonly<Record<string, Schema>> = {
  IdempotencyKey: ofHeader(
    'Idempotency-Key',
    'The same key with the same input is answered with the first answer, so that a retry is safe.',
    // 1 to 255 visible ASCII characters (decision 2.7)
    { type: 'string', pattern: '^[!-~]{1,255}$', minLength: 1, maxLength: 255 },
  ),
  AcceptLanguage: ofHeader(
    'Accept-Language',
    'The language of messages and names: `en` or `pl`, by weight.',
  ),
  RequestId: ofHeader('X-Request-Id', 'An id of the request, which is given back.'),
  Range: ofHeader('Range', 'One range of bytes; several are answered with the whole file.'),
  IfRange: ofHeader('If-Range', 'The `ETag` for which the range is good.'),
  IfNoneMatch: ofHeader('If-None-Match', 'The `ETag` of the content that is there already.'),
};

function parametersOf(route: Route, example: Example, facts: KnownFacts): readonly Schema[] {
  const shared = [
    'AcceptLanguage',
    'RequestId',
    ...(route.keyed ? ['IdempotencyKey'] : []),
    ...(route.answer === 'file' ? ['Range', 'IfRange', 'IfNoneMatch'] : []),
  ];
  return [
    ...pathParametersOf(route, example, facts),
    ...queryParametersOf(route, example, facts),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function pathParametersOf(
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

/** What the parts of paths are, by the names of the parameters. */
function pathSchemas({ fields }: KnownFacts): Readonly<Record<string, Schema>> {
  const { commands } = fields;
  const named = [...fields.deal_v2, ...fields.partner].map(
    (field) => [field.name, schemaOfField(field)] as const,
  );
  return {
    ...Object.fromEntries(named),
    id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    file_id: { type: 'string', minLength: 1 },
    actor: { type: 'string', enum: Object.keys(commands) },
    command: {
      type: 'string',
      enum: [...new Set(Object.values(commands).flatMap((each) => Object.keys(each)))],
    },
  };
}

function queryParametersOf(
  { by, input, members }: Route,
  { parameters = {} }: Example,
  facts: KnownFacts,
): readonly Schema[] {
  if (by === 'partner_id_parameter') {
    return [
      {
        name: 'partner_id',
        in: 'query',
        required: true,
        description: pathMeanings['partner_id'],
        schema: pathSchemas(facts)['partner_id'],
        example: parameters['partner_id'],
      },
    ];
  }
  if (input !== 'query') return [];
  const { partner, deal_list } = facts.fields;
  return [...partner, ...deal_list]
    .filter(({ name }) => name in members)
    .map((field) => ({
      name: field.name,
      in: 'query',
      ...(field.required ? { required: true } : {}),
      description: [
        listMeanings[field.name] ?? `Deals with this ${field.name}.`,
        ...defaultNote(field),
      ].join(' '),
      schema: hasEnum(field.name) ? enumOf(field.name) : schemaOfField(field),
      ...(parameters[field.name] === undefined ? {} : { example: parameters[field.name] }),
    }));
}

/** A command needs no body unless one of its members is required. */
function isRequired(route: Route, { bodies }: KnownFacts): boolean {
  return route.input !== 'command' || 'required' in (bodies[bodyName(route) ?? ''] ?? {});
}

/** What a request carries; of a file the form first, which is for files of any size. */
function contentOf(route: Route, { body, form }: Example): Schema | undefined {
  const name = bodyName(route);
  if (name === undefined) return undefined;
  return {
    ...(route.input === 'file'
      ? { 'multipart/form-data': { schema: refTo('FileForm'), example: form } }
      : {}),
    'application/json': { schema: refTo(name), example: body },
  };
}
