import type {
  CategoryListEntry,
  DealDetails,
  DealListItem,
  DealListQuery,
  DealRetrieved,
  FreelancerView,
  OperatorDetails,
  OperatorView,
  Proposal,
} from 'dealwright';
import { eachPage } from 'dealwright/client';
import { err, ok, type Result } from 'neverthrow';
import {
  type BodyKind,
  dealListFields,
  type Fields,
  type Flags,
  fieldsOf,
  flagOf,
  membersOf,
  strayFlags,
} from './fields.js';
import { readBody } from './input.js';
import { formatRecord, formatTable, printable, printableJson } from './output.js';
import type { Session } from './session.js';
import { parseId, parseNumber } from './settings.js';

export async function listCategories(session: Session): Promise<number> {
  const result = await session.api.listCategories(session.call);
  return session.answer(result, (tree) => categoryTable(tree, session.width));
}

function categoryTable(tree: readonly CategoryListEntry[], width: number | undefined): string {
  const rows = tree.flatMap(({ id, name, subcategories }) => [
    [id, name],
    ...subcategories.map((each) => [each.id, `  ${each.name}`]),
  ]);
  return formatTable(rows, { head: ['id', 'name'], right: [0], flexible: 1, width });
}

export async function getDeal(session: Session, partnerId: string | undefined): Promise<number> {
  const { api, flags, call, width } = session;
  if ((partnerId === undefined) === (flags.id === undefined)) {
    return session.complain('give either the partner_id of a deal or --id with its number');
  }
  const show = (deal: DealRetrieved | DealDetails) => dealText(deal, width);
  if (partnerId !== undefined) {
    return session.answer(await api.retrieveDealDetails(partnerId, call), show);
  }
  const id = parseId(flags.id ?? '');
  if (id === undefined) return session.complain('--id takes a whole number');
  return session.answer(await api.retrieveDeal(id, call), show);
}

export function dealText(
  deal: DealRetrieved | DealDetails | OperatorView | FreelancerView,
  width: number | undefined,
): string {
  const {
    billing,
    stages = [],
    proposal,
    effects = [],
    ...record
  }: Partial<DealRetrieved & DealDetails & Pick<OperatorDetails, 'effects'>> = deal;
  return [
    formatRecord(record, width),
    ...(proposal
      ? [
          `proposal\n${proposalText(proposal, width)}`,
          `changes\n${formatRecord(proposal.changes, width)}`,
        ]
      : []),
    ...(billing === undefined ? [] : [`billing\n${formatRecord(billing, width)}`]),
    ...effects.map((effect) => `waiting\n${formatRecord(effect, width)}`),
    ...stages.map(({ work_files, ...stage }) => {
      const files = work_files.map((file) => `work file\n${formatRecord(file, width)}`);
      return `stage\n${formatRecord(stage, width)}${files.join('')}`;
    }),
  ].join('\n');
}

/** A proposal without what it changes. */
export function proposalText(
  { changes: _, terms, ...proposal }: Proposal,
  width: number | undefined,
): string {
  return formatRecord(proposal, width);
}

export async function listDeals(session: Session): Promise<number> {
  const { flags } = session;
  const size = parseNumber('--page-size', flags.pageSize, 1, 100, 'deals');
  if (size.isErr()) return session.complain(size.error);
  const filter = membersOf(dealListFields, flags);
  if (filter.isErr()) return session.complain(filter.error);
  const page_size = size.value ?? (flags.all === true ? 100 : undefined);
  const query: DealListQuery = {
    ...filter.value,
    ...(page_size === undefined ? {} : { page_size }),
  };
  return flags.all === true ? listAll(session, query) : listPage(session, query);
}

async function listPage(session: Session, query: DealListQuery): Promise<number> {
  const result = await session.api.listDeals(query, session.call);
  return session.answer(result, ({ results, next }) => {
    const shown = results.length === 0 ? 'no deals\n' : dealTable(results, session.width);
    return next === null
      ? shown
      : `${shown}\nmore: dealwright deals list ${again(session, { cursor: next })}\n`;
  });
}

/** The flags of the next page as a shell reads them, with any characters in them. */
export function again({ flags }: Session, from: Pick<Flags, 'cursor' | 'after'>): string {
  return Object.entries<string | boolean>({ ...flags, ...from })
    .map(([name, value]) => {
      const flag = flagOf(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      return typeof value === 'string' ? `${flag} ${quoted(value)}` : flag;
    })
    .join(' ');
}

/** A text as a shell reads it, with any characters in it. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", "'\\''")}'`;
}

/** A page at a time, so a list of any length needs the memory of one page. */
async function listAll(session: Session, query: DealListQuery): Promise<number> {
  let isFirst = true;
  for await (const page of eachPage(session.api, query, session.call)) {
    if (page.isErr()) return session.fail(page.error);
    const { results } = page.value;
    let text = '';
    if (session.flags.json === true) {
      text = results.map((each) => `${printableJson(each)}\n`).join('');
    } else if (results.length > 0) {
      text = `${isFirst ? '' : '\n'}${dealTable(results, session.width)}`;
    } else if (isFirst) text = 'no deals\n';
    isFirst = false;
    // dealwright deals list --all | head: the rest is not wanted
    if (text !== '' && !(await session.write(text))) return 0;
  }
  return 0;
}

function dealTable(deals: readonly DealListItem[], width: number | undefined): string {
  const head = ['created_at', 'api', 'id', 'partner_id', 'status', 'freelancer', 'amount'];
  return formatTable(
    deals.map((deal) => [
      deal.created_at,
      deal.api_version,
      deal.id,
      deal.partner_id,
      deal.status,
      deal.freelancer_status,
      `${deal.amount} ${deal.currency}`,
      deal.email_freelancer,
      deal.title,
    ]),
    { head: [...head, 'email_freelancer', 'title'], right: [2, 6], flexible: 8, width },
  );
}

export async function createDeal(session: Session): Promise<number> {
  const { apiVersion = '2.0' } = session.flags;
  const [kind, otherKind, otherVersion] =
    apiVersion === '1.0'
      ? (['deal', 'deal_v2', '2.0'] as const)
      : (['deal_v2', 'deal', '1.0'] as const);
  const stray = strayFlags(fieldsOf[kind], fieldsOf[otherKind], session.flags);
  if (stray.length > 0) {
    return session.complain(
      `a deal of version ${apiVersion} has no ${stray.join(', ')}: give --api-version ${otherVersion}, or leave it out`,
    );
  }
  return create(session, kind);
}

/** Creates a record from a file and flags. */
export async function create(session: Session, kind: BodyKind): Promise<number> {
  const body = await readFields(session, fieldsOf[kind]);
  if (body.isErr()) return session.complain(body.error);
  const result = await session.create(kind, body.value, session.call);
  return session.answer(result, (record) => formatRecord(record, session.width));
}

/** The fields of a body, from a file and from flags, which take precedence. */
export async function readFields(
  { process, flags }: Session,
  fields: Fields,
): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  const members = membersOf(fields, flags);
  if (flags.file === undefined) {
    return members.andThen((given) =>
      Object.keys(given).length > 0
        ? ok(given)
        : err('nothing is given: use the flags of the fields, or --file (- is stdin)'),
    );
  }
  if (members.isErr()) return members;
  const read = await readBody(process, flags.file);
  return read.map((body) => ({ ...body, ...members.value }));
}
