import { describeFields } from 'dealwright/fields';
import type { ApiVersion } from '../wire/route.js';
import { answerSchemas } from './answers.js';
import { bodySchemas } from './bodies.js';
import { enumSchemas } from './enums.js';
import { faceTags, securitySchemes, tagOf } from './faces.js';
import type { DocumentFacts } from './facts.js';
import { operationOf, sharedParameters } from './operations.js';
import { problemSchemas, responseHeaders, sharedRefusals } from './responses.js';
import type { Schema } from './schema.js';
import { deliverySections } from './webhooks.js';

/** The OpenAPI document (version 3.1) of a handler, made from its routes. */
export function createOpenApiDocument(facts: DocumentFacts): Schema {
  const { routes, lifecycle, valueSets, descriptionLimit, limits, served, basePath } = facts;
  const fields = describeFields(valueSets, lifecycle, descriptionLimit);
  const known = { ...facts, fields, bodies: bodySchemas(fields, limits) };
  const versions = (['2.0', '1.0'] as const).filter((version) =>
    Object.values(served).some((list) => list.includes(version)),
  );
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const operation = operationOf(route, known);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  const deliveries = deliverySections(routes);
  const { webhooks } = deliveries;
  const components = {
    schemas: {
      ...known.bodies,
      ...answerSchemas(),
      ...enumSchemas(fields),
      ...deliveries.schemas,
      ...problemSchemas(),
    },
    responses: sharedRefusals(known),
    headers: responseHeaders(known),
    parameters: { ...sharedParameters, ...deliveries.parameters },
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
    servers: [{ url: basePath || '.', description: 'Where this document comes from.' }],
    tags: [...versionTags(facts), ...faceTags(routes), ...deliveries.tags],
    security: [{ token: [] }],
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: securitySchemes(routes),
      ...onlyUsed(components, { paths, webhooks }),
    },
  };
}

const description = `All bodies are JSON in UTF-8. Paths are answered with and without their closing slash; HEAD and OPTIONS are answered as HTTP says. Unknown members are ignored; \`null\` is no value of any field. Text is well-formed Unicode without U+0000, and its length is counted in code points. Errors are problem details (RFC 9457), sent as \`application/problem+json\` to a client that asks for it.`;

/** A tag for each version of a partner's operations, with the environments that serve it. */
function versionTags({ routes, served }: DocumentFacts): readonly Schema[] {
  const placesOf = (isThere: (versions: readonly ApiVersion[]) => boolean) =>
    Object.entries(served)
      .filter(([, versions]) => isThere(versions))
      .map(([environment]) => environment)
      .join(', ');
  const either = placesOf((versions) => versions.length > 0);
  return (['2.0', '1.0'] as const).flatMap((version) => {
    const name = tagOf({ face: 'partner', version });
    if (!routes.some((route) => tagOf(route) === name)) return [];
    const places = placesOf((versions) => versions.includes(version));
    // routes by partner_id are served with either version (decision 6.7)
    const others = `What names a deal by its \`partner_id\` is served in: ${either}.`;
    const sentences = [
      ...(version === '1.0' ? ['Deprecated.'] : []),
      ...(places === '' ? [] : [`Served in: ${places}.`]),
      ...(version === '2.0' && places !== either ? [others] : []),
    ];
    return { name, description: sentences.join(' ') };
  });
}

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

/** The components that these parts refer to, so that a version that is not served adds none. */
function onlyUsed(components: Components, parts: object): Components {
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
  visit(parts);
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  );
}
