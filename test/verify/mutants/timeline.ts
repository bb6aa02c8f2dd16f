import { answering, askedAt, asking, refusal, withMembers } from './changes.js';
import { inPages, inQueries, isTimeLine } from './event-changes.js';
import type { Mutant } from './mutant.js';

const isMissing = (response: Response, request: Request) =>
  response.status === 404 && isTimeLine(request);

export const mutants: readonly Mutant[] = [
  {
    name: 'the time line has the events of all deals',
    law: '7.1/timeline/alone',
    fetch: asking((request) =>
      isTimeLine(request)
        ? askedAt(request, (path) => path.replace(/^.*event\//, '/api/2.0/event/'))
        : request,
    ),
  },
  {
    name: 'the cursor of a time line is ignored',
    law: '7.6/timeline/next',
    fetch: inQueries((query, request) => isTimeLine(request) && query.delete('after')),
  },
  {
    name: 'a time line ends with its first page',
    law: '7.6/timeline/pages',
    fetch: inPages(({ results }) => ({ results, next: null }), isTimeLine),
  },
  {
    name: 'a cursor that is garbage is the beginning',
    law: '4/timeline/cursor-garbage',
    fetch: inQueries((query) => /^\d+$/.test(query.get('after') ?? '') || query.delete('after')),
  },
  {
    name: 'the parameter is decoded twice',
    law: '6.7/timeline/any-id',
    fetch: inQueries((query) => {
      const id = query.get('partner_id');
      if (id !== null) query.set('partner_id', id.replace('%2F', '/'));
    }),
  },
  {
    name: 'a deal that does not exist has an empty time line',
    law: '2.5/timeline/none',
    fetch: answering((response, request) =>
      isMissing(response, request) ? Response.json({ data: { results: [], next: '0' } }) : response,
    ),
  },
  {
    name: 'a deal of another partner is 403',
    law: '2.5/timeline/of-others',
    fetch: (forward) => async (request) => {
      const response = await forward(request.clone());
      if (!isMissing(response, request)) return response;
      const headers = { authorization: 'Token sandbox-globex' };
      const { status } = await forward(new Request(request, { headers }));
      return status === 200 ? refusal(403, 'forbidden') : response;
    },
  },
  {
    name: 'the error of a deal of another partner says more',
    law: '2.5/timeline/same-answer',
    fetch: (forward) => async (request) => {
      const response = await forward(request.clone());
      if (!isMissing(response, request)) return response;
      const headers = { authorization: 'Token sandbox-globex' };
      const { status } = await forward(new Request(request, { headers }));
      const hint = status === 200 ? { detail: 'This deal is of another partner.' } : {};
      return withMembers(response, (error) => ({ ...error, ...hint }));
    },
  },
];
