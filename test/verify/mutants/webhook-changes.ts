import { answering, askedAs, asking, pathOf, withMembers } from './changes.js';
import type { Members } from './event-changes.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

const path = '/api/2.0/webhook/';

export const isWebhook = (request: Request) => pathOf(request).startsWith(path);

export const isCreate = (request: Request) => request.method === 'POST' && pathOf(request) === path;

export const isList = (request: Request) => request.method === 'GET' && pathOf(request) === path;

export const isRetrieve = (request: Request) =>
  request.method === 'GET' && /\/webhook\/[^/]+\/$/.test(pathOf(request));

export const isAction = (name: string) => (request: Request) =>
  pathOf(request).endsWith(`/${name}/`);

/** Requests that succeed without an effect. */
export const idle =
  (fits: (request: Request) => boolean, data: object = {}): Fetch =>
  (forward) =>
  async (request) =>
    fits(request) ? Response.json({ data }) : forward(request);

/** Changes the webhooks in answers. */
export const inWebhooks = (
  change: (webhook: Members, request: Request) => Members,
  fits: (request: Request) => boolean = isWebhook,
): Fetch =>
  answering((response, request) =>
    fits(request) && response.ok
      ? withMembers(response, ({ data }) => ({
          data: Array.isArray(data)
            ? data.map((each) => change(each, request))
            : change(data as Members, request),
        }))
      : response,
  );

/** Changes what a new webhook is asked to be. */
export const inInput = (change: (input: Members) => Members): Fetch =>
  asking((request) =>
    isCreate(request)
      ? askedAs(request, (text) => JSON.stringify(change(JSON.parse(text))))
      : request,
  );

/** Changes the pages of deliveries. */
export const inDeliveries = (change: (deliveries: Members[]) => readonly Members[]): Fetch =>
  answering((response, request) =>
    isAction('delivery')(request) && response.ok
      ? withMembers(response, ({ data }) => {
          const { results, next } = data as { results: Members[]; next: unknown };
          return { data: { results: change(results), next } };
        })
      : response,
  );

/** Changes each delivery. */
export const inEachDelivery = (change: (delivery: Members) => Members): Fetch =>
  inDeliveries((deliveries) => deliveries.map(change));

/** Changes each attempt. */
export const inEachAttempt = (change: (attempt: Members) => Members): Fetch =>
  inEachDelivery((delivery) => ({
    ...delivery,
    attempts: (delivery['attempts'] as Members[]).map(change),
  }));

/** The members without one. */
export const dropped =
  (name: string) =>
  (members: Members): Members => {
    const { [name]: _, ...rest } = members;
    return rest;
  };
