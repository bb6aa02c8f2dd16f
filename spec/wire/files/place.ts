import { check, show } from '../../expectations.js';
import type { DefineCase } from '../../laws.js';
import {
  type Caller,
  expectStatus,
  type Members,
  membersOf,
  type Reply,
  type Request,
  type Server,
} from '../server.js';
import { formOf, type Part } from './form.js';

/** Where one side uploads files of a deal of its own. */
export interface Place {
  readonly server: Server;
  readonly caller: Caller;
  readonly partner_id: string;
  /** The path of the uploads, with its closing slash. */
  readonly path: string;
  /** Sends an upload; by default, a valid one as JSON. */
  send(request?: Request): Promise<Reply>;
  /** Uploads the draft with these changes, as JSON; returns the file, as the answer shows it. */
  upload(changes?: Members, request?: Request): Promise<StoredFile>;
  /** The same as a form with these parts. */
  uploadForm(...parts: readonly Part[]): Promise<StoredFile>;
  /** The details of the deal, as its partner sees them. */
  details(): Promise<Members>;
  /** The id of the stage of the deal. */
  stage(): Promise<number>;
  /** The files of the deal, as this side sees them. */
  listed(): Promise<readonly Members[]>;
}

/** Where one side also lists and downloads files. */
export interface ReadingPlace extends Place {
  readonly freelancer: Caller;
  /** The place of the other side of the same deal. */
  otherSide(): ReadingPlace;
  /** Sends a request for a file. */
  get(id: string, headers?: Request['headers'], method?: string): Promise<Reply>;
}

/** A file, as the answer to its upload shows it. */
export interface StoredFile extends Members {
  readonly id: string;
}

/** One side of a deal, and the path that it has for files. */
export interface Face<P extends Place = Place> {
  readonly name: string;
  /** Makes a deal of the partner, or of another one, and opens its files. */
  open(server: Server, partner?: Caller): Promise<P>;
}

/** A valid upload: a small text. */
export const draft: Members = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: btoa('Once upon a time'),
};

const version1: Face = {
  name: '1.0',
  async open(server, partner = server.partner) {
    const contractor = server.contractor();
    await partner.data('POST', '/api/1.0/contractor/', { body: contractor });
    const body = server.deal({ contractor_email: contractor['email'] });
    const { id } = await partner.data('POST', '/api/1.0/deal/', { body });
    const deal = `/api/1.0/deal/${id}/`;
    const details = () => partner.data('GET', deal);
    const listed = async () => workFilesIn(await details());
    return placeOf(server, partner, `${deal}file/`, String(body['partner_id']), {
      details,
      listed,
    });
  },
};

/** The partner of a deal of version 2.0. */
export const version2: Face<ReadingPlace> = {
  name: '2.0',
  open: async (server, partner = server.partner) => (await openV2(server, partner)).ofPartner,
};

/** The freelancer of a deal of version 2.0. */
const freelancer: Face<ReadingPlace> = {
  name: 'freelancer',
  open: async (server, partner = server.partner) => (await openV2(server, partner)).ofFreelancer,
};

const readingFaces = [version2, freelancer];

/** Defines a case for each side that uploads files. */
export function inEachFace<Id extends string>(define: DefineCase<Server, Id>) {
  return (id: Id, body: (place: Place, face: Face) => Promise<void>, variant?: string): void => {
    defineIn<Place, Id>([version1, ...readingFaces], define, id, body, variant);
  };
}

/** Defines a case for each side that downloads files. */
export function inEachReader<Id extends string>(define: DefineCase<Server, Id>) {
  return (
    id: Id,
    body: (place: ReadingPlace, face: Face<ReadingPlace>) => Promise<void>,
    variant?: string,
  ): void => {
    defineIn(readingFaces, define, id, body, variant);
  };
}

/** A request for the file of a case. */
export type Get = (headers: Request['headers'], method?: string) => Promise<Reply>;

/** Defines a case for each side that downloads files, with a file of the binary content. */
export function ofBinaryFile<Id extends string>(define: DefineCase<Server, Id>) {
  return (id: Id, body: (get: Get) => Promise<void>, variant?: string): void => {
    inEachReader(define)(
      id,
      async (place) => {
        const file = await place.upload({ content: base64Of(binary) });
        await body((headers, method) => place.get(file.id, headers, method));
      },
      variant,
    );
  };
}

function defineIn<P extends Place, Id extends string>(
  faces: readonly Face<P>[],
  define: DefineCase<Server, Id>,
  id: Id,
  body: (place: P, face: Face<P>) => Promise<void>,
  variant?: string,
): void {
  for (const face of faces) {
    const shown = variant === undefined ? face.name : `${face.name}, ${variant}`;
    define(id, async (server) => body(await face.open(server), face), shown);
  }
}

function placeOf(
  server: Server,
  caller: Caller,
  path: string,
  partner_id: string,
  reads: Pick<Place, 'details' | 'listed'>,
): Place {
  const send = (request: Request = { body: draft }) => caller.send('POST', path, request);
  const upload = async (request: Request) => storedFile(await send(request));
  return {
    server,
    caller,
    partner_id,
    path,
    ...reads,
    async stage() {
      const [stage] = stagesIn(await reads.details());
      return Number(stage?.['id']);
    },
    send,
    upload: (changes, request) => upload({ body: { ...draft, ...changes }, ...request }),
    uploadForm: (...parts) => upload(formOf(parts)),
  };
}

/** Makes a deal of version 2.0, and opens its files for both sides of it. */
async function openV2(
  server: Server,
  partner: Caller,
): Promise<Readonly<Record<'ofPartner' | 'ofFreelancer', ReadingPlace>>> {
  const body = server.dealV2();
  const { payment_token } = await partner.data('POST', '/api/2.0/deal/', { body });
  const partner_id = String(body['partner_id']);
  const freelancer = server.freelancer(String(payment_token));
  const deal = `/api/2.0/deal/${partner_id}/`;
  const details = () => partner.data('GET', deal);
  const open = (caller: Caller, path: string, otherSide: () => ReadingPlace): ReadingPlace => ({
    ...placeOf(server, caller, path, partner_id, {
      details,
      listed: async () => filesIn(await caller.send('GET', path)),
    }),
    freelancer,
    otherSide,
    get: (id, headers = {}, method = 'GET') =>
      // bytes that are compressed on their way have another length
      caller.send(method, `${path}${id}/`, {
        headers: { 'accept-encoding': 'identity', ...headers },
      }),
  });
  const ofPartner = open(partner, `${deal}file/`, () => ofFreelancer);
  const ofFreelancer = open(freelancer, '/api/2.0/offer/file/', () => ofPartner);
  return { ofPartner, ofFreelancer };
}

/** Gives a command of the partner, which must succeed. */
export async function give(
  { server, partner_id }: Place,
  command: 'approve' | 'cancel' | 'request-changes',
): Promise<void> {
  const path = `/api/2.0/deal/${partner_id}/${command}/`;
  const body = command === 'request-changes' ? { reason: 'The title is missing.' } : {};
  expectStatus(await server.partner.send('POST', path, { body }), 200);
}

/** The file of a successful upload. */
export function storedFile(reply: Reply): StoredFile {
  expectStatus(reply, 201);
  const file = membersOf(reply.members()['data'], 'the member data of the answer');
  return { ...file, id: String(file['id']) };
}

function filesIn(reply: Reply): readonly Members[] {
  expectStatus(reply, 200);
  return arrayOf(reply.members()['data'], 'the files of the list');
}

/** The work files of all stages of a deal. */
export function workFilesIn(deal: Members): readonly Members[] {
  return stagesIn(deal).flatMap(({ work_files }) =>
    arrayOf(work_files, 'the work_files of a stage'),
  );
}

const stagesIn = ({ stages }: Members) => arrayOf(stages, 'the stages of the deal');

function arrayOf(value: unknown, what: string): readonly Members[] {
  check(Array.isArray(value), `${what} are an array\n  actual: ${show(value)}`);
  return value.map((each) => membersOf(each, `each of ${what}`));
}

/** The ids of files, in the order of the ids. */
export const idsOf = (files: readonly Members[]) => files.map(({ id }) => String(id)).sort();

/** The SHA-256 of bytes, in hexadecimal. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A content that is not text: every byte once, then some more. */
export const binary = new Uint8Array(
  [...Array(1024).keys()].map((at) => (at < 256 ? at : (at * at) % 251)),
);

export const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** The draft as the file of a form. */
export const filePart: Part = {
  name: 'file',
  filename: 'draft.txt',
  type: 'text/plain',
  content: 'Once upon a time',
};

/** Fails the case unless the answer has one of these statuses. */
export function expectOneOf({ status }: Reply, ...statuses: readonly number[]): void {
  check(statuses.includes(status), `expected ${statuses.join(' or ')}\n  actual: ${status}`);
}

/** Fails the case unless these bytes came, and says where they differ. */
export function expectBytes({ bytes }: Reply, expected: Uint8Array): void {
  const at = expected.findIndex((byte, index) => byte !== bytes[index]);
  const actual = `${bytes.length} bytes, which differ at byte ${at < 0 ? expected.length : at}`;
  check(
    at < 0 && bytes.length === expected.length,
    `the bytes of the answer\n  expected: ${expected.length} bytes\n  actual:   ${actual}`,
  );
}
