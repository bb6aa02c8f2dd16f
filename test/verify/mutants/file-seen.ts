import { answering, askedAt, askedWith, asking, hasToken, pathOf, refusal } from './changes.js';
import {
  dataOf,
  type File,
  type Forward,
  inDownloads,
  inList,
  isForm,
  isUpload,
  refusing,
  remembering,
  sentBy,
} from './file-changes.js';
import type { Mutant } from './mutant.js';

const keyOf = ({ headers }: Request) => headers.get('idempotency-key');
const dealOf = (request: Request) => pathOf(request).replace(/[^/]*\/$/, '');

/** Reads the key of uploads otherwise. */
const readingKey = (change: (key: string, request: Request) => string | undefined) =>
  asking((request) => {
    const key = keyOf(request);
    if (key === null || !isUpload(request)) return request;
    return askedWith(request, { 'idempotency-key': change(key, request) });
  });

/** Answers a repeat of an upload by what `keeps` says about the first answer. */
const keeping = (
  of: (request: Request) => string | Promise<string>,
  keeps: (response: Response) => boolean = () => true,
) =>
  remembering(() => {
    const kept = new Map<string, Response>();
    return async (request, forward) => {
      if (!isUpload(request) || keyOf(request) === null) return forward(request);
      const name = `${keyOf(request)} ${await of(request)}`;
      const response = kept.get(name) ?? (await forward(request));
      if (keeps(response)) kept.set(name, response);
      return response.clone();
    };
  });

/** Remembers the uploads that fit by the ids of their files. */
const knowing = (
  fits: (request: Request) => boolean,
  answer: (request: Request, forward: Forward, known: Map<string, Request>) => Promise<Response>,
) =>
  remembering(() => {
    const known = new Map<string, Request>();
    return async (request, forward) => {
      if (!isUpload(request)) return answer(request, forward, known);
      const response = await forward(request.clone());
      if (response.ok && fits(request)) known.set(String((await dataOf(response))['id']), request);
      return response;
    };
  });

/** Shows another status of the files in lists. */
const showing = (change: (file: File, files: File[]) => unknown) =>
  inList((files) => files.map((file) => ({ ...file, status: change(file, files) })));

const idOf = (request: Request) => /\/file\/([^/]+)\/?$/.exec(pathOf(request))?.[1] ?? '';
const isOffer = (request: Request) => pathOf(request).startsWith('/api/2.0/offer/');

/** Answers uploads of a closed stage otherwise. */
const ifClosed = (answer: (response: Response, request: Request) => Response | Promise<Response>) =>
  answering((response, request) =>
    isUpload(request) && response.status === 409 ? answer(response, request) : response,
  );

export const mutants: readonly Mutant[] = [
  {
    name: 'keys of uploads are ignored',
    law: '2.7/files/replay',
    fetch: readingKey(() => undefined),
  },
  {
    name: 'a repeat has the first answer, and is stored',
    law: '2.7/files/replay-stores-nothing',
    fetch: remembering(() => async (request, forward) => {
      if (isUpload(request))
        await forward(askedWith(request.clone(), { 'idempotency-key': undefined }));
      return forward(request);
    }),
  },
  {
    name: 'keys of forms are ignored',
    law: '2.7/files/replay-of-form',
    fetch: readingKey((key, request) => (isForm(request) ? undefined : key)),
  },
  {
    name: 'forms have keys of their own',
    law: '2.7/files/replay-in-other-form',
    fetch: readingKey((key, request) => (isForm(request) ? `form-${key}` : key)),
  },
  {
    name: 'the stage is judged before the key',
    law: '2.7/files/replay-once-closed',
    fetch: remembering(() => {
      let isClosed = false;
      return async (request, forward) => {
        isClosed ||= pathOf(request).endsWith('/cancel/');
        const isLate = isClosed && isUpload(request);
        return forward(isLate ? askedWith(request, { 'idempotency-key': undefined }) : request);
      };
    }),
  },
  {
    name: 'whatever comes with a key is its repeat',
    law: '2.7/files/reused',
    fetch: keeping(() => ''),
  },
  {
    name: 'a reused key is a 409',
    law: '2.7/files/reused',
    fetch: answering((response, request) =>
      isUpload(request) && response.status === 422
        ? refusal(409, 'idempotency_key_reused')
        : response,
    ),
  },
  {
    name: 'the size stands for the content of a form',
    law: '2.7/files/reused-in-form',
    fetch: keeping(async (request) => `${(await request.clone().text()).length}`),
  },
  {
    name: 'the name and the size stand for a file',
    law: '2.7/files/reused',
    fetch: keeping(async (request) => {
      const { name, content } = (await sentBy(request)) ?? {};
      return `${name} ${String(content).length}`;
    }),
  },
  {
    name: 'another file with the same key is stored',
    law: '2.7/files/reused-stores-nothing',
    fetch: remembering(() => async (request, forward) => {
      const response = await forward(request.clone());
      if (!isUpload(request) || response.status !== 422) return response;
      return forward(askedWith(request, { 'idempotency-key': undefined }));
    }),
  },
  {
    name: 'spaces in a key are dropped',
    law: '2.7/files/malformed-key',
    fetch: readingKey((key) => key.replaceAll(' ', '')),
  },
  {
    name: 'a refusal is kept under its key',
    law: '2.7/files/key-of-refusal',
    fetch: keeping(
      () => '',
      ({ status }) => status === 400,
    ),
  },
  {
    name: 'a deal without files has no list of them',
    law: '6.7/files/none',
    fetch: answering(async (response, request) => {
      const isList = request.method === 'GET' && pathOf(request).endsWith('/file/');
      const { length } = isList ? await dataOf(response) : {};
      return length === 0 ? refusal(404, 'not_found') : response;
    }),
  },
  {
    name: 'files with the same content are listed once',
    law: '6.7/files/listed-once',
    fetch: inList((files) => [...new Map(files.map((file) => [file['sha256'], file])).values()]),
  },
  {
    name: 'a list without digests',
    law: '6.7/files/listed-as-uploaded',
    fetch: inList((files) => files.map(({ sha256: _, ...file }) => file)),
  },
  {
    name: 'a list shows when it was made',
    law: '6.7/files/listed-as-uploaded',
    fetch: inList((files) =>
      files.map((file) => ({ ...file, uploaded_at: '2026-01-01T00:00:00.000Z' })),
    ),
  },
  {
    name: 'files of forms are in no list',
    law: '6.7/files/listed-form',
    fetch: (forward) => {
      const ids = new Set<unknown>();
      const remember = answering(async (response, request) => {
        if (isForm(request) && response.ok) ids.add((await dataOf(response))['id']);
        return response;
      });
      return inList((files) => files.filter(({ id }) => !ids.has(id)))(remember(forward));
    },
  },
  {
    name: 'a new file is uploaded',
    law: '6.4/files/stored',
    fetch: showing(() => 'uploaded'),
  },
  {
    name: 'a list has the files of every deal',
    law: '2.5/files/listed-apart',
    fetch: (forward) => {
      const all: File[] = [];
      const remember = answering(async (response, request) => {
        if (isUpload(request) && response.ok) all.push(await dataOf(response));
        return response;
      });
      return inList(() => all)(remember(forward));
    },
  },
  {
    name: 'each side lists its own files',
    law: '6.5/files/other-side-lists',
    fetch: inList((files, request) =>
      files.filter(({ by }) => by === (isOffer(request) ? 'freelancer' : 'partner')),
    ),
  },
  {
    name: 'each side downloads its own files',
    law: '6.5/files/other-side-downloads',
    fetch: knowing(
      () => true,
      async (request, forward, known) => {
        const first = known.get(idOf(request));
        const isOther = first !== undefined && isOffer(first) !== isOffer(request);
        return isOther ? refusal(404, 'not_found') : forward(request);
      },
    ),
  },
  {
    name: 'a file is found by its id alone',
    law: '2.5/files/of-another-deal',
    fetch: knowing(
      () => true,
      async (request, forward, known) => {
        const first = known.get(idOf(request));
        if (first === undefined) return forward(request);
        const { url, headers } = first;
        return forward(new Request(`${url}${idOf(request)}/`, { headers }));
      },
    ),
  },
  {
    name: 'a file of another deal is forbidden',
    law: '2.5/files/of-another-deal',
    fetch: knowing(
      () => true,
      async (request, forward, known) => {
        const first = known.get(idOf(request));
        const isOther = first !== undefined && dealOf(first) !== dealOf(request);
        return isOther && !isOffer(request) ? refusal(403, 'forbidden') : forward(request);
      },
    ),
  },
  {
    name: 'an id of another form is a 400',
    law: '6.4/files/unknown',
    fetch: asking((request) =>
      /\/file\/(?![0-9A-Z]{26}\/)[^/]+/.test(pathOf(request))
        ? refusal(400, 'validation_failed')
        : request,
    ),
  },
  {
    name: 'an unknown offer has no files',
    law: '6.5/files/no-offer',
    fetch: answering((response, request) =>
      isOffer(request) && response.status === 401 ? Response.json({ data: [] }) : response,
    ),
  },
  {
    name: 'downloads need no token',
    law: '5.2/files/download-without-token',
    fetch: asking((request) =>
      hasToken(request) || idOf(request) === ''
        ? request
        : new Response('Once upon a time', { status: 200 }),
    ),
  },
  {
    name: 'the paths of files need their slash',
    law: '4/files/without-slash',
    fetch: refusing((request) => /\/file(\/[^/]+)?$/.test(pathOf(request)), 404, 'not_found'),
  },
  {
    name: 'files are not below by-id',
    law: '6.7/files/by-id',
    fetch: refusing(
      (request) => pathOf(request).startsWith('/api/2.0/deal/by-id/file/'),
      404,
      'not_found',
    ),
  },
  {
    name: 'by-id forgets its parameter in a download',
    law: '6.7/files/by-id',
    fetch: asking((request) =>
      pathOf(request).startsWith('/api/2.0/deal/by-id/file/0')
        ? askedAt(request, (path) => path.replace(/\?.*/, ''))
        : request,
    ),
  },
  {
    name: 'a file is submitted with its stage',
    law: '6.4/files/submitted',
    fetch: (forward) => {
      let isDelivered = false;
      const remember = asking((request) => {
        isDelivered ||= pathOf(request).endsWith('/deliver/');
        return request;
      });
      return showing(({ status }) => (isDelivered ? 'submitted' : status))(remember(forward));
    },
  },
  {
    name: 'an approved file is still stored',
    law: '6.4/files/accepted',
    fetch: showing(({ status }) => (status === 'accepted' ? 'stored' : status)),
  },
  {
    name: 'a file that was sent back is rejected',
    law: '6.4/files/superseded',
    fetch: showing(({ status }) => (status === 'superseded' ? 'rejected' : status)),
  },
  {
    name: 'an approval accepts all files of its stage',
    law: '6.4/files/superseded-stays',
    fetch: showing(({ status }, files) =>
      files.some((each) => each['status'] === 'accepted') ? 'accepted' : status,
    ),
  },
  {
    name: 'a stage that was sent back is closed',
    law: '6.4/files/open-again',
    fetch: remembering(() => {
      let isSentBack = false;
      return async (request, forward) => {
        isSentBack ||= pathOf(request).endsWith('/request-changes/');
        const isClosed = isSentBack && isUpload(request);
        return isClosed ? refusal(409, 'precondition_failed') : forward(request);
      };
    }),
  },
  {
    name: 'the content of a superseded file is deleted',
    law: '6.4/files/content-stays',
    fetch: (forward) => {
      let isSentBack = false;
      const remember = asking((request) => {
        isSentBack ||= pathOf(request).endsWith('/request-changes/');
        return request;
      });
      const gone = inDownloads((response) => (isSentBack ? refusal(410, 'gone') : response));
      return gone(remember(forward));
    },
  },
  ...['submitted', 'approved', 'cancelled'].map((state) => ({
    name: `an upload for a stage that is ${state} is an illegal transition`,
    law: `6.4/files/refused-${state}`,
    fetch: ifClosed(() => refusal(409, 'illegal_transition')),
  })),
  {
    name: 'a form for a closed stage is taken',
    law: '6.4/files/refused-form',
    fetch: ifClosed((response, request) =>
      isForm(request) ? Response.json({ data: { id: 'x' } }, { status: 201 }) : response,
    ),
  },
  {
    name: 'the reason is a sentence',
    law: '6.2/files/refused-reason',
    fetch: ifClosed(async (response) =>
      Response.json(
        { ...Object(await response.json()), reason: 'The stage is closed.' },
        { status: 409 },
      ),
    ),
  },
  {
    name: 'an upload for a closed stage is kept',
    law: '6.4/files/closed-stays',
    fetch: (forward) => {
      let late: File | undefined;
      const remember = answering((response, request) => {
        if (isUpload(request) && response.status === 409) late = { id: 'late' };
        return response;
      });
      return answering(async (response, request) => {
        if (request.method !== 'GET' || late === undefined) return response;
        const members = JSON.parse(await response.text(), (name, value) =>
          name === 'work_files' || (name === 'data' && Array.isArray(value))
            ? [...value, late]
            : value,
        );
        return Response.json(members);
      })(remember(forward));
    },
  },
];
