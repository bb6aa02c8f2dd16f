import type { Reply, Server } from './server.js';
import type { Version } from './versions.js';

/** An error that every server can be made to give. */
export interface Provoked {
  readonly status: number;
  /** The code that decision 5.1 gives it. */
  readonly code: string;
  readonly reply: Reply;
}

/** One answer of each kind of error that takes one request, by a promised operation first. */
export async function provoke(
  server: Server,
  { read, create, missing, name }: Version,
  headers: Readonly<Record<string, string>> = {},
): Promise<Provoked[]> {
  const { anonymous, partner } = server;
  const json = { 'content-type': 'application/json', ...headers };
  const text = { 'content-type': 'text/plain', ...headers };
  const errors: Provoked[] = [];
  const add = async (status: number, code: string, asked: Promise<Reply>) => {
    errors.push({ status, code, reply: await asked });
  };
  await add(401, 'unauthorized', anonymous.send('GET', read, { headers }));
  await add(404, 'not_found', partner.send('GET', missing(server), { headers }));
  await add(404, 'not_found', partner.send('GET', `/api/${name}/nothing/`, { headers }));
  await add(405, 'method_not_allowed', partner.send('DELETE', read, { headers }));
  await add(415, 'unsupported_media_type', sendRaw('{}', text));
  await add(400, 'invalid_json', sendRaw('{', json));
  await add(400, 'validation_failed', sendRaw('{}', json));
  return errors;

  function sendRaw(raw: string, all: Readonly<Record<string, string>>) {
    return partner.send('POST', create, { raw, headers: all });
  }
}
