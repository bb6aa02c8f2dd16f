import type { Environment, PartnerApi, ValueSets } from 'dealwright';
import { describeFields, type FieldDescriptions } from 'dealwright/fields';
import type { BodyLimits } from '../server/read-json.js';
import type { ApiVersion, Route } from '../wire/route.js';
import { routes } from '../wire/routes.js';
import { answerSchemas } from './answers.js';
import { examplesFor } from './examples.js';
import { bodySchemas, operationOf, sharedParameters, tagOf } from './operations.js';
import { problemSchemas, responseHeaders, sharedRefusals } from './responses.js';
import type { Schema } from './schema.js';

/** What a handler is made with, as far as its document tells of it. */
export interface DocumentFacts {
  readonly valueSets: ValueSets;
  readonly limits: BodyLimits;
  /** The versions that each environment serves which is served here at all. */
  readonly served: Partial<Readonly<Record<Environment, readonly ApiVersion[]>>>;
  /** The headers of every answer of version 1.0. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
}

/** What every part of a document is made from. */
export interface KnownFacts extends DocumentFacts {
  readonly fields: FieldDescriptions;
}

/** The OpenAPI document (version 3.1) of what a handler serves, made from the one table of routes. */
export function createOpenApiDocument(facts: DocumentFacts): Schema {
  const { valueSets, served } = facts;
  const known = { ...facts, fields: describeFields(valueSets) };
  const examples = examplesFor(valueSets);
  const versions = (['2.0', '1.0'] as const).filter((version) =>
    Object.values(served).some((list) => list.includes(version)),
  );
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (!versions.includes(route.version)) continue;
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(
        name,
        route,
        examples[route.operation as keyof PartnerApi],
        known,
      ),
    };
  }
  const components = {
    schemas: {
      ...bodySchemas(known),
      ...answerSchemas(known.fields),
      ...problemSchemas(),
    },
    responses: sharedRefusals(known),
    headers: responseHeaders(known),
    parameters: sharedParameters,
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Freelance deals',
      version: versions[0] ?? 'none',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // resolved against the address of the document, with any prefix (OpenAPI 3.1, Server Object)
    servers: [{ url: '.', description: 'Where this document comes from.' }],
    tags: versions.map((version) => ({
      name: tagOf({ version }),
      description: `${version === '1.0' ? 'Deprecated. ' : ''}Served in: ${placesOf(version, served)}.`,
    })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: securityScheme },
      ...onlyUsed(components, paths),
    },
  };
}

const description = `All bodies are JSON in UTF-8. Paths are answered with and without their closing slash; HEAD and OPTIONS are answered as HTTP says. Unknown members are ignored; \`null\` is no value of any field. Text is well-formed Unicode without U+0000, and its length is counted in code points. Errors are problem details (RFC 9457), sent as \`application/problem+json\` to a client that asks for it.`;

const securityScheme: Schema = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    'The word `Token`, a space, and the API token: `Token <API_TOKEN>`. A token is one of the sandbox or of production.',
};

function placesOf(version: ApiVersion, served: DocumentFacts['served']): string {
  return Object.entries(served)
    .filter(([, versions]) => versions.includes(version))
    .map(([environment]) => environment)
    .join(', ');
}

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

/** The components that the paths lead to: a version that is not served leaves nothing behind. */
function onlyUsed(components: Components, paths: object): Components {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    const text = JSON.stringify(part);
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g)) {
      const target = `${kind}/${name}`;
      if (used.has(target)) continue;
      used.add(target);
      visit(components[kind]?.[name]);
    }
  };
  visit(paths);
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  );
}
