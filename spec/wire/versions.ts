import type { DefineCase } from '../laws.js';
import type { Members, Server } from './server.js';

/** The operations that every server of a version has, whatever else it promises. */
export interface Version {
  readonly name: '1.0' | '2.0';
  /** The path of an operation that only reads, with `GET`. */
  readonly read: string;
  /** The path of an operation that creates a record, with `POST` and nothing else there. */
  readonly create: string;
  /** A valid body of it, with new names. */
  valid(server: Server, changes?: Members): Members;
  /** A text in that body that may be long and names nothing. */
  readonly text: string;
  /** The code of the error if it is sent a second time. */
  readonly exists: string;
  /** The path of a record that does not exist. */
  missing(server: Server): string;
}

export const version1: Version = {
  name: '1.0',
  read: '/api/1.0/category/',
  create: '/api/1.0/contractor/',
  valid: (server, changes) => server.contractor(changes),
  text: 'street',
  exists: 'contractor_exists',
  missing: () => `/api/1.0/deal/${Number.MAX_SAFE_INTEGER}/`,
};

export const version2: Version = {
  name: '2.0',
  read: '/api/2.0/category/',
  create: '/api/2.0/deal/',
  valid: (server, changes) => server.dealV2(changes),
  text: 'description',
  exists: 'deal_exists',
  missing: (server) => `/api/2.0/deal/${server.name('missing')}/`,
};

export const versions: readonly Version[] = [version1, version2];

/** Defines a case of a law for each version. */
export function inEachVersion<Id extends string>(define: DefineCase<Server, Id>) {
  return (id: Id, body: (server: Server, version: Version) => Promise<void>) => {
    for (const version of versions) define(id, (server) => body(server, version), version.name);
  };
}
