import {
  answering,
  askedWith,
  asking,
  pathOf,
  refusal,
  withHeaders,
  withMembers,
} from './changes.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

export interface File {
  [member: string]: unknown;
}

const isList = (request: Request) => /\/file\/?$/.test(pathOf(request));
export const isUpload = (request: Request) => request.method === 'POST' && isList(request);
export const isForm = (request: Request) =>
  isUpload(request) && /^multipart\/form-data/.test(typeOf(request));
const isDownload = (request: Request) => /\/file\/[^/]+\/?$/.test(pathOf(request));

export const typeOf = ({ headers }: Request) => headers.get('content-type') ?? '';

/** The members of an upload as JSON, if it is one. */
export async function sentBy(request: Request): Promise<File | undefined> {
  const isJson = isUpload(request) && typeOf(request) === 'application/json';
  return isJson ? JSON.parse(await request.clone().text()) : undefined;
}

/** Reads other members of an upload as JSON, or answers it. */
export const uploading = (change: (body: File, request: Request) => File | Response): Fetch =>
  asking(async (request) => {
    const sent = await sentBy(request);
    if (sent === undefined) return request;
    const changed = change(sent, request);
    return changed instanceof Response ? changed : jsonOf(request, changed);
  });

export function jsonOf(request: Request, body: unknown): Request {
  const { url, headers } = request;
  const own = new Headers(headers);
  own.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers: own, body: JSON.stringify(body) });
}

/** Reads another form, or answers it; each byte of it is a character. */
export const reading = (change: (form: string, request: Request) => string | Response): Fetch =>
  asking(async (request) => {
    if (!isForm(request)) return request;
    const form = Buffer.from(await request.clone().arrayBuffer()).toString('latin1');
    const changed = change(form, request);
    if (changed instanceof Response) return changed;
    const { url, headers } = request;
    return new Request(url, { method: 'POST', headers, body: Buffer.from(changed, 'latin1') });
  });

/** Refuses uploads that fit. */
export const refusing = (
  fits: (request: Request) => boolean,
  status: number,
  code: string,
): Fetch => asking((request) => (fits(request) ? refusal(status, code) : request));

/** Shows other files as the answers to their uploads. */
export const inAnswers = (change: (file: File, sent: File) => unknown): Fetch =>
  answering(async (response, request) => {
    if (!isUpload(request) || response.status !== 201) return response;
    const sent = (await sentBy(request)) ?? {};
    return withMembers(response, ({ data, ...members }) => ({
      ...members,
      data: change(data as File, sent),
    }));
  });

/** Shows another list of files. */
export const inList = (change: (files: File[], request: Request) => unknown): Fetch =>
  answering((response, request) =>
    request.method === 'GET' && isList(request)
      ? withMembers(response, ({ data }) => ({ data: change(data as File[], request) }))
      : response,
  );

/** Answers downloads otherwise. */
export const inDownloads = (
  change: (response: Response, request: Request) => Response | Promise<Response>,
): Fetch =>
  answering((response, request) =>
    isDownload(request) && response.ok ? change(response, request) : response,
  );

/** The headers of downloads, changed. */
export const headersOfDownloads = (
  changes: Readonly<Record<string, string | undefined>>,
  fits: (response: Response, request: Request) => boolean = () => true,
): Fetch =>
  inDownloads((response, request) =>
    fits(response, request) ? withHeaders(response, changes) : response,
  );

/** Reads a header of downloads as another one; `undefined` if it does not understand it. */
export const readingHeader = (
  name: string,
  change: (value: string, request: Request) => string | undefined,
): Fetch =>
  asking((request) => {
    const value = request.headers.get(name);
    if (value === null || !isDownload(request)) return request;
    return askedWith(request, { [name]: change(value, request) });
  });

/** Answers requests for files in a way that depends on what was sent before. */
export const remembering =
  (open: () => (request: Request, forward: Forward) => Promise<Response>): Fetch =>
  (forward) => {
    const answer = open();
    return (request) => answer(request, forward);
  };

export type Forward = (request: Request) => Promise<Response>;

export async function dataOf(response: Response): Promise<File> {
  const { data } = (await response.clone().json()) as { data: File };
  return data;
}
