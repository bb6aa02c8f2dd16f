import type {
  CategoryListEntry,
  DealDetails,
  DealListItem,
  DealListQuery,
  DealRetrieved,
} from 'dealwright';
import { eachPage } from 'dealwright/client';
import { recordTable } from './create-commands.js';
import { printable, printableJson } from './printable.js';
import { parseNumber, type ServiceFlags } from './service-settings.js';
import { type Session, withSession } from './session.js';
import { formatTable } from './table.js';

/** `dealwright categories` */
export function listCategories(process: NodeJS.Process, flags: ServiceFlags): Promise<void> {
  return withSession(process, flags, async (session) => {
    const result = await session.api.listCategoryTree(session.call);
    if (result.isErr()) return session.fail(result.error);
    await session.show(result.value, () => categoryTable(result.value, session.width));
    return 0;
  });
}

function categoryTable(tree: readonly CategoryListEntry[], width: number | undefined): string {
  const rows = tree.flatMap(({ id, name, subcategories }) => [
    [id, name],
    ...subcategories.map((each) => [each.id, `  ${each.name}`]),
  ]);
  return formatTable(rows, { head: ['id', 'name'], right: [0], flexible: 1, width });
}

/** `dealwright deals get` */
export function getDeal(
  process: NodeJS.Process,
  partnerId: string | undefined,
  flags: ServiceFlags & { readonly id?: string },
): Promise<void> {
  return withSession(process, flags, async (session) => {
    if ((partnerId === undefined) === (flags.id === undefined)) {
      return session.complain('give either the partner_id of a deal or --id with its number');
    }
    if (partnerId !== undefined) {
      const result = await session.api.retrieveDealDetails(partnerId, session.call);
      if (result.isErr()) return session.fail(result.error);
      return showDeal(session, result.value);
    }
    const id = parseNumber('--id', flags.id, 1, Number.MAX_SAFE_INTEGER, 'a deal');
    if (id.isErr() || id.value === undefined) return session.complain('--id takes a whole number');
    const result = await session.api.retrieveDeal(id.value, session.call);
    if (result.isErr()) return session.fail(result.error);
    return showDeal(session, result.value);
  });
}

async function showDeal(session: Session, deal: DealRetrieved | DealDetails): Promise<number> {
  await session.show(deal, () => {
    const { billing, ...record } = deal;
    const stages = 'stages' in record ? record.stages : [];
    const { employer_payments, contractor_payments, ...sums } = billing;
    const rows = Object.entries(record).filter(([name]) => name !== 'stages');
    const parts = [
      recordTable(Object.fromEntries(rows), session.width),
      `billing\n${recordTable({ ...sums, employer_payments, contractor_payments }, session.width)}`,
      ...stages.map(
        ({ work_files, ...stage }) =>
          `stage\n${recordTable(stage, session.width)}${work_files
            .map((file) => `work file\n${recordTable(file, session.width)}`)
            .join('')}`,
      ),
    ];
    return parts.join('\n');
  });
  return 0;
}

/** The flags of `dealwright deals list`. */
export interface ListFlags extends ServiceFlags {
  readonly all?: true;
  readonly pageSize?: string;
  readonly cursor?: string;
  readonly partnerId?: string;
  readonly status?: NonNullable<DealListQuery['status']>;
  readonly freelancerStatus?: NonNullable<DealListQuery['freelancer_status']>;
  readonly emailFreelancer?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
}

/** `dealwright deals list` */
export function listDeals(process: NodeJS.Process, flags: ListFlags): Promise<void> {
  return withSession(process, flags, async (session) => {
    const size = parseNumber('--page-size', flags.pageSize, 1, 100, 'deals');
    if (size.isErr()) return session.complain(size.error);
    const page_size = size.value ?? (flags.all === true ? 100 : undefined);
    const query: DealListQuery = {
      ...(page_size === undefined ? {} : { page_size }),
      ...(flags.cursor === undefined ? {} : { cursor: flags.cursor }),
      ...(flags.partnerId === undefined ? {} : { partner_id: flags.partnerId }),
      ...(flags.status === undefined ? {} : { status: flags.status }),
      ...(flags.freelancerStatus === undefined
        ? {}
        : { freelancer_status: flags.freelancerStatus }),
      ...(flags.emailFreelancer === undefined ? {} : { email_freelancer: flags.emailFreelancer }),
      ...(flags.createdFrom === undefined ? {} : { created_from: flags.createdFrom }),
      ...(flags.createdTo === undefined ? {} : { created_to: flags.createdTo }),
    };
    return flags.all === true
      ? listAll(session, query, flags.json === true)
      : listPage(session, query, flags);
  });
}

async function listPage(session: Session, query: DealListQuery, flags: ListFlags): Promise<number> {
  const result = await session.api.listEmployerDeals(query, session.call);
  if (result.isErr()) return session.fail(result.error);
  const { results, next } = result.value;
  await session.show(result.value, () =>
    [
      results.length === 0 ? 'no deals\n' : dealTable(results, session.width),
      next === null ? '' : `\nmore: dealwright deals list ${again(flags, next)}\n`,
    ].join(''),
  );
  return 0;
}

/** The flags as a shell takes them, with any characters in them. */
function again({ cursor: _, ...flags }: ListFlags, cursor: string): string {
  return Object.entries<string | true>({ ...flags, cursor })
    .map(([name, value]) => {
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === true ? flag : `${flag} '${printable(value).replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/** A page at a time, so that a list of any length needs no more memory than one. */
async function listAll(session: Session, query: DealListQuery, json: boolean): Promise<number> {
  let isFirst = true;
  for await (const page of eachPage(session.api, query, session.call)) {
    if (page.isErr()) return session.fail(page.error);
    const { results } = page.value;
    const text = json
      ? results.map((each) => `${printableJson(each)}\n`).join('')
      : results.length === 0
        ? isFirst
          ? 'no deals\n'
          : ''
        : `${isFirst ? '' : '\n'}${dealTable(results, session.width)}`;
    isFirst = false;
    // dealwright deals list --all | head: nobody wants the rest
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
