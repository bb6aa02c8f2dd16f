import { check, show } from '../../expectations.js';
import { createDealV2, created } from '../creates/create.js';
import {
  type Caller,
  expectIssues,
  type Json,
  type Members,
  membersOf,
  type Server,
} from '../server.js';

/** The parameters of a list. */
export type Query = Readonly<Record<string, string | number>>;

export interface Page {
  readonly results: readonly Members[];
  readonly next: string | null;
  readonly previous: string | null;
}

export function pathOfList(query: Query): string {
  const text = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api/2.0/deal/?${new URLSearchParams(text)}`;
}

/** Asks for a page, which must be a success. */
export async function pageOf(caller: Caller, query: Query): Promise<Page> {
  return pageFrom(await caller.data('GET', pathOfList(query)));
}

/** A page by `data` of its answer. */
export function pageFrom({ results, next, previous }: Members): Page {
  check(Array.isArray(results), `results is an array\n  actual: ${show(results)}`);
  return {
    results: results.map((each) => membersOf(each, 'an item')),
    next: cursorFrom(next, 'next'),
    previous: cursorFrom(previous, 'previous'),
  };
}

function cursorFrom(cursor: Json, name: string): string | null {
  check(cursor === null || typeof cursor === 'string', `${name} is text or null: ${show(cursor)}`);
  return cursor;
}

export const namesOf = ({ results }: Pick<Page, 'results'>) =>
  results.map(({ partner_id }) => String(partner_id));

/** Deals of one freelancer, whom no other case has. */
export interface Deals {
  /** Finds these deals and no others. */
  readonly filter: { readonly email_freelancer: string };
  /** Their names, the newest first. */
  readonly names: readonly string[];
}

/** Creates deals, one after the other. */
export async function severalDeals(server: Server, count: number): Promise<Deals> {
  const filter = { email_freelancer: server.email() };
  const names: string[] = [];
  for (let made = 0; made < count; made += 1) names.unshift(await another(server, filter));
  return { filter, names };
}

/** Creates many deals, some at the same time, so that their order is not known. */
export async function manyDeals(server: Server, count: number): Promise<Deals> {
  const filter = { email_freelancer: server.email() };
  const names: string[] = [];
  while (names.length < count) {
    const left = Math.min(8, count - names.length);
    names.push(...(await Promise.all(Array.from({ length: left }, () => another(server, filter)))));
  }
  return { filter, names };
}

/** Creates one more deal of a freelancer. */
export async function another(server: Server, filter: Deals['filter']): Promise<string> {
  const { sent } = await created(server, createDealV2, filter);
  return String(sent['partner_id']);
}

/** The most pages of a walk: a list that goes in circles ends, too. */
const mostPages = 50;

/** All pages from the first on. */
export async function walk(
  caller: Caller,
  query: Query,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Page[]> {
  const pages = [await pageOf(caller, query)];
  for (let cursor = pages[0]?.next ?? null; cursor !== null; ) {
    check(pages.length < mostPages, `the list ends within ${mostPages} pages`);
    await between();
    const page = await pageOf(caller, { ...query, cursor });
    pages.push(page);
    cursor = page.next;
  }
  return pages;
}

/** Fails the case unless the list refuses these parameters with this issue. */
export async function expectRefused(
  caller: Caller,
  query: Query,
  name: string,
  code: string,
): Promise<void> {
  expectIssues(await caller.send('GET', pathOfList(query)), { path: [name], code });
}
