import type { Handler, HttpResponse } from 'dealwright/http';
import { type Document, OpenAPIBackend, SetMatchType } from 'openapi-backend';

/** Sends a request to a handler without a token. */
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

/** Returns the differences between a response and the document; empty if there is none. */
export type CheckResponse = (route: string, response: HttpResponse) => readonly string[];

/**
 * Checks responses of a handler against its own document, by a foreign validator. Objects are taken
 * as closed: a member that the document does not have is a fault too.
 */
export async function createResponseCheck(handler: Handler): Promise<CheckResponse> {
  const { body = '' } = await get(handler, '/openapi.json');
  const definition: Document = JSON.parse(String(body), closed);
  const api = new OpenAPIBackend({
    definition,
    // the linter checks the document itself: this validator knows only documents of 3.0
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
  // found once: the router searches the whole document for each
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
      // an answer to HEAD has no body
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

/** The headers of any message, which the document of an interface does not list. */
const untold =
  /^(content-(type|length)|cache-control|x-content-type-options|cross-origin-resource-policy|vary|access-control-.*)$/;

/** Closes the objects of a schema, except those of an `allOf`, which share their members. */
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
