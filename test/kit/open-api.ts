import type { Handler, HttpResponse } from 'dealwright/http';
import { type Document, OpenAPIBackend, SetMatchType } from 'openapi-backend';

/** Asks a handler without a token; anybody may. */
export function get(
  handler: Handler,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<HttpResponse> {
  return handler.handle({
    method,
    target,
    header: (name) => headers[name],
    body: async () => new Uint8Array(),
    async *stream() {},
  });
}

/** Says what of a response is not as the document says; nothing where all is. */
export type CheckResponse = (route: string, response: HttpResponse) => readonly string[];

/**
 * Holds responses of a handler to its own document, by a validator that is not ours. Objects are
 * taken as closed: a member that the document does not tell of is a fault too.
 */
export async function createResponseCheck(handler: Handler): Promise<CheckResponse> {
  const { body = '' } = await get(handler, '/openapi.json');
  const definition: Document = JSON.parse(String(body), closed);
  const api = new OpenAPIBackend({
    definition,
    // the document itself is the linter's business: this validator knows documents of 3.0 alone
    quick: true,
    ajvOpts: {
      strict: false,
      allErrors: true,
      formats: {
        email: /^[^@\s]+@[^@\s]+$/,
        'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      },
    },
  });
  await api.init();
  // found once: the router looks through the whole document for each
  const operations = new Map(api.router.getOperations().map((each) => [each.operationId, each]));

  return (route, { status, headers, body }) => {
    const operation = operations.get(route);
    const documented = operation?.responses?.[status];
    if (operation === undefined || documented === undefined || '$ref' in documented) {
      return [`${status} is not documented`];
    }
    const type = headers['content-type'] ?? 'none';
    const types = Object.keys(documented.content ?? { none: {} });
    const isFile = types.includes('*/*');
    const problems =
      isFile || types.includes(type)
        ? []
        : [`the content type ${type} is not documented for ${status}`];
    if (isFile && typeof body === 'string') problems.push('a text is no file');
    const told = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase());
    for (const name of Object.keys(headers)) {
      if (!told.includes(name) && !untold.test(name)) {
        problems.push(`the header ${name} is not documented for ${status}`);
      }
    }
    const judged = [
      api.validator.validateResponseHeaders(headers, operation, {
        statusCode: status,
        setMatchType: SetMatchType.Superset,
      }),
      // there is no body in an answer to HEAD
      ...(body === undefined || isFile
        ? []
        : [api.validator.validateResponse(JSON.parse(String(body)), operation, status)]),
    ];
    const found = judged.flatMap(({ errors }) => errors ?? []);
    return [
      ...problems,
      ...found.map((each) => `${status} ${each.instancePath || '/'} ${each.message}`),
    ];
  };
}

/** The headers of any message, which a document of an interface does not tell of. */
const untold =
  /^(content-(type|length)|cache-control|x-content-type-options|cross-origin-resource-policy|vary|access-control-.*)$/;

/** Closes the objects of a schema, but for those of an `allOf`, which see each other's members. */
function closed(key: string, value: unknown): unknown {
  if (key === 'allOf' && Array.isArray(value)) {
    return value.map((each: Record<string, unknown>) => {
      const { additionalProperties: _, ...open } = each;
      return open;
    });
  }
  return typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    'type' in value &&
    value.type === 'object'
    ? { ...value, additionalProperties: false }
    : value;
}
