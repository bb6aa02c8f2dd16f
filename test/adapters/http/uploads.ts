import { createHash } from 'node:crypto';
import type { Handler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { expect } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import {
  type Asked,
  acme,
  asAcme,
  ask,
  contractor,
  createService,
  deal,
  token,
  type Wiring,
} from './service.js';

export const boundary = '----boundary-of-these-tests';
export const asForm = {
  authorization: `Token ${token}`,
  'content-type': `multipart/form-data; boundary=${boundary}`,
};

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A part of a form as it is sent. */
export function part(disposition: string, content: string, ...headers: readonly string[]): string {
  const lines = [`Content-Disposition: form-data; ${disposition}`, ...headers];
  return `--${boundary}\r\n${lines.join('\r\n')}\r\n\r\n${content}\r\n`;
}

export const filePart = (content: string, ...headers: readonly string[]): string =>
  part('name="file"; filename="a.txt"', content, ...headers);
export const stagePart = (stage: unknown): string => part('name="stage_id"', String(stage));
export const form = (...parts: readonly string[]): string => `${parts.join('')}--${boundary}--\r\n`;

/** A service with one deal of one stage, and functions that show its records. */
export async function createUploads(wiring: Wiring = {}) {
  const store = createMemoryStore();
  const ports = { ...createPorts(), store, ...wiring.ports };
  const handler = createService({ ...wiring, ports });
  const { id, stage_ids } = await createDeal(handler);
  const path = `/api/1.0/deal/${id}/file/`;
  return {
    handler,
    id,
    stage: stage_ids[0] ?? 0,
    path,
    ports,
    send: (body: unknown, asked: Asked = {}) =>
      ask(handler, path, { headers: asForm, body, ...asked }),
    json: (body: unknown, asked: Asked = {}) => ask(handler, path, { body, ...asked }),
    /** The work files that the deal shows. */
    async recorded(): Promise<readonly Readonly<Record<string, unknown>>[]> {
      const { json } = await ask(handler, `/api/1.0/deal/${id}/`, { method: 'GET' });
      return json.data.stages.flatMap((each: { work_files: object[] }) => each.work_files);
    },
    /** The ids of all contents in the store. */
    async kept(): Promise<readonly string[]> {
      return (await ports.files.list(acme, undefined))._unsafeUnwrap();
    },
  };
}

export async function createDeal(
  handler: Handler,
  headers: Readonly<Record<string, string>> = asAcme,
): Promise<{ readonly id: number; readonly stage_ids: readonly number[] }> {
  await ask(handler, '/api/1.0/contractor/', { headers, body: contractor });
  const created = await ask(handler, '/api/1.0/deal/', { headers, body: deal });
  expect(created.status).toBe(201);
  return created.json.data;
}

/** A refusal, after which the store holds nothing new. */
export async function expectNothing(
  uploads: Awaited<ReturnType<typeof createUploads>>,
): Promise<void> {
  expect(await uploads.recorded()).toEqual([]);
  expect(await uploads.kept()).toEqual([]);
}

type Uploads = Awaited<ReturnType<typeof createUploads>>;

/** The whole refusal of a form. */
export async function refusalOf(uploads: Uploads, body: unknown, headers = asForm) {
  const { status, json } = await uploads.send(body, { headers });
  const errors = json.errors?.map((each: { path: string[]; code: string }) => [
    each.path.join('.'),
    each.code,
  ]);
  return [status, json.code, errors];
}
