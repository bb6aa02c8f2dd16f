import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createFetchHandler, createHandler, type Handler } from 'dealwright/http';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore } from 'dealwright/ports';
import { createPorts } from '../../kit/ports.js';
import { acme, ask, contractor, deal, onNode, token } from './service.js';

export const text = 'Once upon a time';
const asked = { authorization: `Token ${token}` };

/** A service with one file, over a store of files that may change before it is read. */
export async function createDownloads(
  name = 'draft.txt',
  change?: Partial<FileStore>,
  content = text,
) {
  const files = createMemoryFileStore();
  const ports = { ...createPorts(), files: { ...files, ...change } };
  const other = { environment: 'sandbox', partner: 'other' } as const;
  const authenticator = createTokenAuthenticator(
    [
      [token, acme],
      ['token-of-other', other],
    ],
    ports,
  );
  const marketplace = createMarketplace(ports);
  const partner = marketplace.partner(acme);
  (await partner.registerContractor(contractor))._unsafeUnwrap();
  for (const partner_id of ['one', 'two']) {
    (await partner.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
    (await marketplace.partner(other).createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  }
  const upload = { name, content_type: 'text/plain', content: Buffer.from(content) };
  const { id } = (await partner.uploadFile({ partner_id: 'one' }, upload))._unsafeUnwrap();
  const handler = createHandler(marketplace, { ...ports, authenticator });
  return { handler, id, path: `/api/2.0/deal/one/file/${id}/` };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
export type Headers = Readonly<Record<string, string>>;
export type Get = (
  handler: Handler,
  path: string,
  headers?: Headers,
  method?: string,
) => Promise<Answer>;

export const getByHeart: Get = async (handler, path, headers = {}, method = 'GET') => {
  const answered = await ask(handler, path, { method, headers: { ...asked, ...headers } });
  const { status, body = '' } = answered;
  const pieces: Uint8Array[] = [];
  if (typeof body === 'string') pieces.push(Buffer.from(body));
  else for await (const piece of body) pieces.push(piece.slice());
  return { status, headers: answered.headers, body: Buffer.concat(pieces) };
};

const read = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Buffer.from(await response.arrayBuffer()),
});

export const getByFetch: Get = async (handler, path, headers = {}, method = 'GET') => {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...asked, ...headers },
  });
  return read(await createFetchHandler(handler)(request));
};

export const getByNode: Get = (handler, path, headers = {}, method = 'GET') =>
  onNode(handler, async (baseUrl) =>
    read(await fetch(baseUrl + path, { method, headers: { ...asked, ...headers } })),
  );
