import type { DefineCase } from '../../laws.js';
import type { Caller, Members, Server } from '../server.js';

/** An operation that creates a record, and the fields of its body. */
export interface Create {
  readonly name: string;
  readonly path: string;
  /** The field whose value names the record. */
  readonly naming: string;
  /** The code of the error if there is a record of that name. */
  readonly exists: string;
  /** A field for any text of 1 to 200 characters. */
  readonly text: string;
  /** A valid body with new names. What it refers to exists. */
  valid(server: Server, changes?: Members): Promise<Members>;
}

/** The same of a deal. */
export interface DealCreate extends Create {
  readonly money: string;
  readonly email: string;
  readonly subcategory: string;
  /** The deal as its own version shows it, by what was sent and by `data` of the answer. */
  read(caller: Caller, sent: Members, data: Members): Promise<Members>;
}

export const createContractor: Create = {
  name: 'contractor',
  path: '/api/1.0/contractor/',
  naming: 'email',
  exists: 'contractor_exists',
  text: 'street',
  valid: async (server, changes) => server.contractor(changes),
};

export const createDeal: DealCreate = {
  name: 'deal 1.0',
  path: '/api/1.0/deal/',
  naming: 'partner_id',
  exists: 'deal_exists',
  text: 'name',
  money: 'budget',
  email: 'contractor_email',
  subcategory: 'sub_category_id',
  async valid(server, changes = {}) {
    const contractor_email = changes['contractor_email'] ?? (await server.registered());
    return server.deal({ contractor_email, ...changes });
  },
  read: (caller, _, { id }) => caller.data('GET', `/api/1.0/deal/${id}/`),
};

export const createDealV2: DealCreate = {
  name: 'deal 2.0',
  path: '/api/2.0/deal/',
  naming: 'partner_id',
  exists: 'deal_exists',
  text: 'title',
  money: 'amount',
  email: 'email_freelancer',
  subcategory: 'subcategory_id',
  valid: async (server, changes) => server.dealV2(changes),
  read: (caller, { partner_id }) => caller.data('GET', byId(partner_id)),
};

export const creates: readonly Create[] = [createContractor, createDeal, createDealV2];

export const dealCreates: readonly DealCreate[] = [createDeal, createDealV2];

/** Defines a case of a law for each create. */
export function inEachCreate<Id extends string>(define: DefineCase<Server, Id>) {
  return (id: Id, body: (server: Server, create: Create) => Promise<void>) => {
    for (const create of creates) define(id, (server) => body(server, create), create.name);
  };
}

/** Defines a case of a law for a deal of each version. */
export function inEachDeal<Id extends string>(define: DefineCase<Server, Id>) {
  return (id: Id, body: (server: Server, create: DealCreate) => Promise<void>) => {
    for (const create of dealCreates) define(id, (server) => body(server, create), create.name);
  };
}

/** A record that was created. */
export interface Created {
  readonly sent: Members;
  /** The member `data` of the answer. */
  readonly data: Members;
}

/** Creates a record with new names. */
export async function created(server: Server, create: Create, changes?: Members): Promise<Created> {
  const sent = await create.valid(server, changes);
  return { sent, data: await server.partner.data('POST', create.path, { body: sent }) };
}

/** Creates a deal, and reads it. */
export async function stored(
  server: Server,
  create: DealCreate,
  changes?: Members,
): Promise<Members> {
  const { sent, data } = await created(server, create, changes);
  return create.read(server.partner, sent, data);
}

/** The path of the details of a deal with any `partner_id`. */
export function byId(partnerId: unknown): string {
  return `/api/2.0/deal/by-id/?partner_id=${encodeURIComponent(String(partnerId))}`;
}

/** The path of the details of a deal. */
export function pathOf(partnerId: unknown): string {
  return `/api/2.0/deal/${encodeURIComponent(String(partnerId))}/`;
}

/** The entries of an object, with the type of its names. */
export function entriesOf<T extends object>(object: T): [keyof T & string, T[keyof T]][] {
  return Object.entries(object) as [keyof T & string, T[keyof T]][];
}
