import type { Scheme } from '../server/reply.js';
import { isForEveryFace } from '../wire/promises.js';
import type { Face, Route } from '../wire/route.js';
import type { Schema } from './schema.js';

/** The scheme, tag and description of each face (decision 6.5). */
const faces: Readonly<
  Record<Face, { readonly scheme: Scheme; readonly tag: string; readonly says: string }>
> = {
  partner: { scheme: 'Token', tag: 'Version', says: '' },
  freelancer: {
    scheme: 'Offer',
    tag: 'Offer (freelancer)',
    says: 'What the bearer of a payment token can do with the one deal that has it.',
  },
  operator: {
    scheme: 'Operator',
    tag: 'Operator',
    says: 'What an operator of the host can do, with every deal of every partner.',
  },
  sandbox: {
    scheme: 'Token',
    tag: 'Sandbox',
    says: 'What a partner can do besides, in the sandbox alone.',
  },
};

type OfFace = Pick<Route, 'face'>;

/** The scheme of the credentials of a face. */
export function schemeOf({ face }: OfFace): Scheme {
  return faces[face].scheme;
}

/** The credentials of an operation; the document itself names the partner's token. */
export function securityOf(route: Pick<Route, 'face' | 'path'>, routes: readonly OfFace[]): Schema {
  const schemes = isForEveryFace(route) ? schemesOf(routes) : [schemeOf(route)];
  if (schemes.join() === 'Token') return {};
  return { security: schemes.map((scheme) => ({ [scheme.toLowerCase()]: [] })) };
}

const schemesOf = (routes: readonly OfFace[]) => [
  ...new Set<Scheme>(['Token', ...routes.map(schemeOf)]),
];

/** The tag that groups operations. */
export function tagOf({ face, version }: Pick<Route, 'face' | 'version'>): string {
  return face === 'partner' ? `Version ${version}` : faces[face].tag;
}

/** The tags of all faces but the partner's; there each version has a tag. */
export function faceTags(routes: readonly OfFace[]): readonly Schema[] {
  const others = new Set(routes.map(({ face }) => face).filter((face) => face !== 'partner'));
  return [...others].map((face) => ({ name: faces[face].tag, description: faces[face].says }));
}

const credentials: Readonly<Record<Scheme, readonly [token: string, says: string]>> = {
  Token: ['the API token', 'A token is one of the sandbox or of production.'],
  Offer: ['the payment token', 'It is the one that the creation of the deal was answered with.'],
  Operator: ['the token of an operator', 'A token is one of the sandbox or of production.'],
};

/** The security schemes that these routes need. */
export function securitySchemes(routes: readonly OfFace[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    schemesOf(routes).map((scheme) => {
      const [token, says] = credentials[scheme];
      const form = `The word \`${scheme}\`, a space, and ${token}: \`${scheme} <${scheme === 'Token' ? 'API_TOKEN' : 'TOKEN'}>\`.`;
      const described = { type: 'apiKey', in: 'header', name: 'Authorization' };
      return [scheme.toLowerCase(), { ...described, description: `${form} ${says}` }];
    }),
  );
}
