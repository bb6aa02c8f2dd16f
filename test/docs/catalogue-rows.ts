import {
  describeError,
  describeIssue,
  type ErrorCode,
  type Issue,
  type IssueCode,
  type Resource,
} from 'dealwright';
import { describeProblem, type WireErrorCode } from '../../adapters/http/wire/problem.js';

type IssueParamsOf<C extends IssueCode> = Extract<Issue, { readonly code: C }>['params'];

/** Figures for each message: the compiler requires every code. */
const issueFigures: { readonly [C in IssueCode]: readonly IssueParamsOf<C>[] } = {
  required: [{}],
  null_not_allowed: [{}],
  wrong_type: [
    { expected: 'object' },
    { expected: 'string' },
    { expected: 'integer' },
    { expected: 'content' },
    { expected: 'list' },
    { expected: 'boolean' },
  ],
  malformed_text: [{}],
  forbidden_character: [{}],
  too_short: [{ min: 1 }, { min: 15 }],
  too_long: [{ max: 200 }],
  wrong_length: [{ length: 3 }],
  invalid_email: [{}],
  email_local_part_too_long: [{ max: 64 }],
  not_allowed: [{ allowed: ['pl', 'en'] }],
  unknown_country: [{}],
  unknown_currency: [{}],
  invalid_decimal: [{ max_integer_digits: 18, max_fraction_digits: 2 }],
  too_fine: [{ unit: '1.00' }],
  not_positive: [{}],
  not_an_integer: [{}],
  out_of_range: [
    { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    { min: 1, max: 100 },
  ],
  unknown_subcategory: [{}],
  unknown_contractor: [{}],
  not_negative: [{}],
  unknown_payment: [{}],
  currency_mismatch: [{}],
  secret_in_text: [{}],
  unknown_stage: [{}],
  invalid_timestamp: [{}],
  invalid_media_type: [{}],
  invalid_base64: [{}],
  too_deep: [{ max: 64 }],
  unknown_parameter: [{ allowed: ['cursor', 'page_size'] }],
  malformed_form: [{}],
  repeated: [{}],
  unreadable: [{}],
  refused_by_scanner: [{}],
  empty: [{}],
  too_many_stages: [{ max: 100 }],
  too_many_files: [{ max: 500 }],
  invalid_event_type: [{}],
  too_many_types: [{ max: 100 }],
  too_many_webhooks: [{ max: 1000 }],
  too_many_webhooks_of_host: [{ max: 100 }],
  port_not_allowed: [{}],
  invalid_url: [{}],
  https_required: [{}],
  address_not_allowed: [{}],
  blank: [{}],
  iban_unknown_country: [{}],
  iban_wrong_length: [{}],
  iban_wrong_format: [{}],
  iban_wrong_checksum: [{}],
  bic_wrong_length: [{}],
  bic_wrong_format: [{}],
  pesel_wrong_length: [{}],
  pesel_wrong_format: [{}],
  pesel_wrong_date: [{}],
  pesel_wrong_checksum: [{}],
  nip_wrong_length: [{}],
  nip_wrong_format: [{}],
  nip_wrong_checksum: [{}],
};

type AnyCode = ErrorCode | WireErrorCode;

/** The table of the errors in the catalogue. */
export function errorTable(statuses: Readonly<Record<AnyCode, number | undefined>>): string {
  const rank = (code: AnyCode) => statuses[code] ?? Number.POSITIVE_INFINITY;
  const codes = (Object.keys(statuses) as AnyCode[]).sort((a, b) => rank(a) - rank(b) || 0);
  return table(
    ['Code', 'Status', 'English', 'Polish'],
    codes.map((code) => [
      `\`${code}\``,
      String(statuses[code] ?? 'none'),
      describeProblem(code, 'en'),
      describeProblem(code, 'pl'),
    ]),
  );
}

const resources = {
  deal: true,
  proposal: true,
  work_file: true,
  webhook: true,
  delivery: true,
  report: true,
  partner: true,
  operation: true,
} satisfies Readonly<Record<Resource, true>>;

/** The table of the resources that may not be found. */
export function resourceTable(): string {
  return table(
    ['Resource', 'English', 'Polish'],
    (Object.keys(resources) as Resource[]).map((resource) => [
      `\`${resource}\``,
      describeError('not_found', 'en', resource),
      describeError('not_found', 'pl', resource),
    ]),
  );
}

/** The table of the issues in the catalogue. */
export function issueTable(): string {
  const codes = Object.keys(issueFigures) as IssueCode[];
  return table(
    ['Code', 'Params, for example', 'English', 'Polish'],
    codes.flatMap((code) => issueFigures[code].map((params) => issueRow(code, params))),
  );
}

function issueRow(code: IssueCode, params: Issue['params']): readonly string[] {
  const finding = { path: [], code, params };
  return [
    `\`${code}\``,
    `\`${JSON.stringify(params)}\``,
    describeIssue(finding, 'en').message,
    describeIssue(finding, 'pl').message,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
