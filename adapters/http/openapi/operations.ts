import type { FieldDescriptions } from 'dealwright/fields';
import type { Route } from '../wire/route.js';
import { routes } from '../wire/routes.js';
import type { KnownFacts } from './document.js';
import type { Example } from './examples.js';
import { commandMeanings, listMeanings, meanings, purposeOf } from './meanings.js';
import { refusalsOf, successOf } from './responses.js';
import { refTo, type Schema, schemaOfField, schemaOfFields } from './schema.js';

/** The name under which operations of a version stand together. */
export function tagOf({ version }: Pick<Route, 'version'>): string {
  return `Version ${version}`;
}

/** One row of the table as an operation of the document. */
export function operationOf(
  name: string,
  route: Route,
  example: Example,
  facts: KnownFacts,
): Schema {
  const { version, status } = route;
  const { summary, description } = purposeOf(route);
  const content = contentOf(route, example);
  return {
    operationId: name,
    summary,
    description,
    tags: [tagOf(route)],
    ...(version === '1.0' ? { deprecated: true } : {}),
    parameters: parametersOf(route, example, facts),
    ...(content === undefined
      ? {}
      : { requestBody: { required: isRequired(route, facts), content } }),
    responses: {
      [status]: successOf(route, example, facts),
      ...refusalsOf(route, example, facts),
    },
  };
}

/** The parameters that operations share; without examples, which a page would send by itself. */
export const sharedParameters: Readonly<Record<string, Schema>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key with the same input is answered with the first answer, so that a retry is safe.',
    // 1 to 255 visible ASCII characters (decision 2.7)
    schema: { type: 'string', pattern: '^[!-~]{1,255}$', minLength: 1, maxLength: 255 },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of messages and names: `en` or `pl`, by weight.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of the request, which is given back.',
    schema: { type: 'string' },
  },
};

function parametersOf(route: Route, example: Example, facts: KnownFacts): readonly Schema[] {
  const shared = [
    'AcceptLanguage',
    'RequestId',
    ...(route.method === 'POST' ? ['IdempotencyKey'] : []),
  ];
  return [
    ...ownParametersOf(route, example, facts.fields),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function ownParametersOf(
  { by, input }: Route,
  { parameters = {} }: Example,
  fields: FieldDescriptions,
): readonly Schema[] {
  switch (by ?? input) {
    case 'id':
      return [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'The id that the creation of the deal was answered with.',
          schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          example: parameters['id'],
        },
      ];
    case 'partner_id':
    case 'partner_id_parameter': {
      const field = fields.deal_v2.find(({ name }) => name === 'partner_id');
      return [
        {
          name: 'partner_id',
          in: by === 'partner_id' ? 'path' : 'query',
          required: true,
          description: meanings.partner_id,
          schema: field === undefined ? {} : schemaOfField(field),
          example: parameters['partner_id'],
        },
      ];
    }
    case 'query':
      return fields.deal_list.map((field) => ({
        name: field.name,
        in: 'query',
        description: listMeanings[field.name] ?? `Deals with this ${field.name}.`,
        schema: schemaOfField(field),
        ...(parameters[field.name] === undefined ? {} : { example: parameters[field.name] }),
      }));
    default:
      return [];
  }
}

/** A command needs no body unless one of its members is required. */
function isRequired({ input, path }: Route, { fields }: KnownFacts): boolean {
  return (
    input !== 'command' || (fields.commands[wordOf(path)] ?? []).some(({ required }) => required)
  );
}

/** The last part of a path: the name of a command. */
function wordOf(path: string): string {
  return path.split('/').at(-2) ?? '';
}

function contentOf({ operation, input }: Route, { body, form }: Example): Schema | undefined {
  if (input === 'nothing' || input === 'query') return undefined;
  return {
    'application/json': { schema: refTo(bodyName(operation)), example: body },
    ...(input === 'file'
      ? { 'multipart/form-data': { schema: refTo('FileForm'), example: form } }
      : {}),
  };
}

const bodies: Partial<Readonly<Record<Route['operation'], string>>> = {
  registerContractor: 'ContractorInput',
  createDeal: 'DealInput',
  createDealV2: 'DealV2Input',
  uploadFile: 'FileUpload',
  uploadWorkFile: 'FileUpload',
};

function bodyName(operation: Route['operation']): string {
  return bodies[operation] ?? `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
}

export function bodySchemas({ fields, limits }: KnownFacts): Readonly<Record<string, Schema>> {
  const file = fields.work_file;
  const stage = file.filter(({ name }) => name === 'stage_id');
  const upload = schemaOfFields(file, meanings);
  const commands = Object.values(routes).filter(({ input }) => input === 'command');
  return {
    ...Object.fromEntries(
      commands.map(({ operation, path }) => [
        bodyName(operation),
        schemaOfFields(fields.commands[wordOf(path)] ?? [], commandMeanings),
      ]),
    ),
    ContractorInput: atMost(limits.json, schemaOfFields(fields.contractor, meanings)),
    DealInput: atMost(limits.json, schemaOfFields(fields.deal, meanings)),
    DealV2Input: atMost(limits.json, schemaOfFields(fields.deal_v2, meanings)),
    FileUpload: atMost(
      limits.json,
      withMember(upload, 'content', {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The content in base64 (RFC 4648, section 4, with padding).',
      }),
    ),
    FileForm: withMember(schemaOfFields(stage, meanings), 'file', {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: `The file, of at most ${limits.file} bytes. Its name and type are those of its part of the form.`,
    }),
  };
}

function atMost(bytes: number, schema: Schema): Schema {
  return { ...schema, description: `At most ${bytes} bytes.` };
}

/** An object schema with one more member, which must be there. */
function withMember(schema: Schema, name: string, member: Schema): Schema {
  const required = schema['required'] as readonly string[] | undefined;
  return {
    ...schema,
    required: [...(required ?? []), name],
    properties: { ...(schema['properties'] as Schema), [name]: member },
  };
}
