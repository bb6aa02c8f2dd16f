import type { OperatorDealItem, OperatorDealQuery } from 'dealwright';
import {
  asking,
  type CommandRow,
  examples,
  fieldOptions,
  pageOf,
  pageOptions,
  sizeOption,
} from './command-row.js';
import { again } from './deal-commands.js';
import { membersOf, operatorListFields } from './fields.js';
import { downloadOptions, saveFile } from './file-commands.js';
import { dealOfPartner, withDeals } from './life-commands.js';
import { formatRecord, formatTable } from './output.js';
import type { Session } from './session.js';
import { parseNumber } from './settings.js';

const token = 'DEALWRIGHT_OPERATOR_TOKEN';

/** What the operator sees of all partners. */
export const operatorCommands: Readonly<Record<string, CommandRow>> = {
  'operator summary': {
    description: 'count what needs the operator',
    ...asking(async (session) => {
      const summary = await session.operator().summarize(session.call);
      return session.answer(summary, ({ results }) => {
        const rows = results.map(({ reason, count, is_more, since }) => [
          reason,
          `${count}${is_more ? '+' : ''}`,
          since,
        ]);
        const head = ['reason', 'count', 'since'];
        return formatTable(rows, { head, right: [1], flexible: 0, width: session.width });
      });
    }, token),
  },
  'operator deals': {
    description: 'list the deals of all partners, or of one',
    options: [sizeOption, ...fieldOptions(operatorListFields)],
    help: examples(
      'dealwright operator deals --alert disputed',
      'dealwright operator deals --status accepted --stuck-since 2026-01-01T00:00:00Z',
    ),
    ...asking(listDeals, token),
  },
  'operator search': {
    description: 'find deals of all partners',
    arguments: {
      '<text>':
        'an e-mail address, a partner_id, the beginning of a title, the id or the reference of a payment, or the id of a work file',
    },
    options: [sizeOption],
    ...asking(searchDeals, token),
  },
  'operator failing': {
    description: 'list the webhooks and handlers that fail, the longest first',
    options: pageOptions,
    ...asking(listFailing, token),
  },
  'operator reports': {
    description: 'list the reports that match no payment, the longest waiting first',
    options: pageOptions,
    ...asking(listReports, token),
  },
  'operator dismiss': {
    description: 'take a report that matches no payment from that list',
    arguments: {
      '<partner>': 'the partner of the report',
      '<report-id>': 'the id of the report, as operator reports --json shows it',
    },
    ...asking(
      (session, partner, id = '') =>
        withDeals(session, partner, async (deals) =>
          session.answer(await deals.dismissReport(id, session.call), (report) =>
            formatRecord({ ...report }, session.width),
          ),
        ),
      token,
    ),
  },
  'operator partners': {
    description: 'list the partners',
    options: pageOptions,
    ...asking(listPartners, token),
  },
  'operator download': {
    description: 'download a file of a deal; nothing is overwritten',
    arguments: { ...dealOfPartner, '<file-id>': 'the id of the file, as payments get shows it' },
    options: downloadOptions,
    help: examples('dealwright operator download acme order-2 01KDVE00000000000000000000 | wc -c'),
    ...asking(
      (session, partner, partnerId = '', fileId = '') =>
        withDeals(session, partner, (deals) =>
          saveFile(session, () => deals.downloadWorkFile(partnerId, fileId, session.call)),
        ),
      token,
    ),
  },
};

function dealTable(deals: readonly OperatorDealItem[], session: Session): string {
  if (deals.length === 0) return 'no deals\n';
  const head = ['partner', 'partner_id', 'status', 'since', 'alert', 'amount', 'title'];
  return formatTable(
    deals.map((deal) => [
      deal.partner,
      deal.partner_id,
      deal.status,
      deal.status_since,
      deal.alert,
      `${deal.amount} ${deal.currency}`,
      deal.title,
    ]),
    { head, right: [5], flexible: 6, width: session.width },
  );
}

/** The lines of a page, and the command of the next one. */
const withNext = (session: Session, text: string, command: string, next: string | null) =>
  next === null
    ? text
    : `${text}\nmore: dealwright operator ${command} ${again(session, { cursor: next })}\n`;

async function listDeals(session: Session): Promise<number> {
  const { flags } = session;
  const size = parseNumber('--page-size', flags.pageSize, 1, 100, 'deals');
  if (size.isErr()) return session.complain(size.error);
  const filter = membersOf(operatorListFields, flags);
  if (filter.isErr()) return session.complain(filter.error);
  const query: OperatorDealQuery = {
    ...filter.value,
    ...(size.value !== undefined && { page_size: size.value }),
  };
  const listed = await session.operator().listDeals(query, session.call);
  return session.answer(listed, ({ results, next }) =>
    withNext(session, dealTable(results, session), 'deals', next),
  );
}

async function searchDeals(session: Session, text = ''): Promise<number> {
  const size = parseNumber('--page-size', session.flags.pageSize, 1, 100, 'deals');
  if (size.isErr()) return session.complain(size.error);
  const query = { text, ...(size.value !== undefined && { page_size: size.value }) };
  const found = await session.operator().searchDeals(query, session.call);
  return session.answer(found, ({ results, is_more }) => {
    const shown = dealTable(results, session);
    return is_more ? `${shown}\nthere are more: a longer text finds fewer\n` : shown;
  });
}

async function listPartners(session: Session): Promise<number> {
  const query = pageOf(session.flags, 'partners');
  if (query.isErr()) return session.complain(query.error);
  const listed = await session.operator().listPartners(query.value, session.call);
  return session.answer(listed, ({ results, next }) => {
    if (results.length === 0) return 'no partners\n';
    const rows = results.map(({ partner, partner_name }) => [partner, partner_name]);
    const head = ['partner', 'partner_name'];
    const table = formatTable(rows, { head, flexible: 1, width: session.width });
    return withNext(session, table, 'partners', next);
  });
}

async function listFailing(session: Session): Promise<number> {
  const query = pageOf(session.flags, 'webhooks');
  if (query.isErr()) return session.complain(query.error);
  const listed = await session.operator().listFailing(query.value, session.call);
  return session.answer(listed, ({ results, next }) => {
    if (results.length === 0) return 'nothing fails\n';
    const rows = results.map(({ partner, name, failing_since, webhook }) => [
      partner,
      name,
      webhook?.status,
      failing_since,
      webhook?.url,
    ]);
    const head = ['partner', 'name', 'status', 'failing_since', 'url'];
    const table = formatTable(rows, { head, flexible: 4, width: session.width });
    return withNext(session, table, 'failing', next);
  });
}

async function listReports(session: Session): Promise<number> {
  const query = pageOf(session.flags, 'reports');
  if (query.isErr()) return session.complain(query.error);
  const listed = await session.operator().listUnmatchedReports(query.value, session.call);
  return session.answer(listed, ({ results, next }) => {
    if (results.length === 0) return 'no reports\n';
    const rows = results.map((each) => [
      ...[each.partner, each.partner_id, each.kind, each.status, each.amount],
      ...[each.reason, each.received_at, each.reference],
    ]);
    const head = [
      ...['partner', 'partner_id', 'kind', 'status', 'amount'],
      ...['reason', 'received_at', 'reference'],
    ];
    const table = formatTable(rows, { head, right: [4], flexible: 7, width: session.width });
    return withNext(session, table, 'reports', next);
  });
}
