import type { ValueSets } from 'dealwright';
import { baseNameOf } from '../wire/all-routes.js';
import type { Face, Route } from '../wire/route.js';
import { bodyName } from './bodies.js';
import { examples } from './examples.js';
import { securityOf, tagOf } from './faces.js';
import type { Example, KnownFacts } from './facts.js';
import { pathParametersOf, queryParametersOf } from './parameters.js';
import { purposeOf } from './prose.js';
import { refusalsOf, successesOf } from './responses.js';
import { headerOf, refTo, type Schema } from './schema.js';

/** One route as an operation of the document. */
export function operationOf(route: Route, facts: KnownFacts): Schema {
  const example = exampleFor(route, facts.valueSets);
  const { summary, description } = purposeOf(route);
  const content = contentOf(route, example);
  return {
    operationId: route.name,
    summary,
    description,
    tags: [tagOf(route)],
    ...securityOf(route, facts.routes),
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

/** The parameters that operations share; without examples, because a page would send them. */
export const sharedParameters: Readonly<Record<string, Schema>> = {
  IdempotencyKey: headerOf(
    'Idempotency-Key',
    'The same key with the same input is answered with the first answer, so that a retry is safe.',
    // 1 to 255 visible ASCII characters (decision 2.7)
    { type: 'string', pattern: '^[!-~]{1,255}$', minLength: 1, maxLength: 255 },
  ),
  AcceptLanguage: headerOf(
    'Accept-Language',
    'The language of messages and names: `en` or `pl`, by weight.',
  ),
  RequestId: headerOf('X-Request-Id', 'An id of the request, which is given back.'),
  Range: headerOf('Range', 'One range of bytes; several are answered with the whole file.'),
  IfRange: headerOf('If-Range', 'The `ETag` for which the range is good.'),
  IfNoneMatch: headerOf('If-None-Match', 'The `ETag` of the content that is there already.'),
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

/** A command needs no body unless one of its members is required. */
function isRequired(route: Route, { bodies }: KnownFacts): boolean {
  return route.input !== 'command' || 'required' in (bodies[bodyName(route) ?? ''] ?? {});
}

/** The content of a request; for a file the form comes first: it takes files of any size. */
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

/** Examples for the commands of a host's own life cycle. */
const similar: Readonly<Record<Face, string>> = {
  partner: 'retrieveDealDetails',
  freelancer: 'freelancerView',
  operator: 'operatorRetrieveDeal',
  sandbox: 'sandboxCommand',
};

/** The example of a route, with the first value of each set of the host. */
export function exampleFor(route: Route, sets: ValueSets): Example {
  const example = examples[baseNameOf(route)] ?? {
    ...examples[similar[route.face]],
    body: { reason: 'So it is.' },
  };
  return JSON.parse(JSON.stringify(example), (name, value) =>
    typeof value === 'string' && Object.hasOwn(sets, name)
      ? sets[name as keyof ValueSets][0]
      : value,
  );
}
