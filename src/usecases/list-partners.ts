import { err, ok, type Result } from 'neverthrow';
import type { PartnerItem, PartnersPage } from '../api/answers.js';
import {
  type ListDealsError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { isTenant, type Tenant } from '../domain/values/tenant.js';
import type { Call, Context } from './context.js';

/** The most partners of one read: those of the other environment are among them. */
const largestRead = 1_000;

/** A page of the partners of an environment that have written something, in the store's order. */
export async function listPartners(
  { ports, parsePageQuery, nameOf }: Context,
  { tenant: { environment } }: Call,
  input: unknown,
): Promise<Result<PartnersPage, WithoutMessage<ListDealsError>>> {
  const parsed = parsePageQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  // of another environment it is no cursor of this list
  const start = `${environment} `;
  let after: Tenant | undefined;
  if (cursor !== undefined) {
    after = { environment, partner: cursor.slice(start.length) };
    if (!cursor.startsWith(start) || !isTenant(after)) return err({ code: 'invalid_cursor' });
  }
  const found: Tenant[] = [];
  for (let isMore = true; isMore && found.length <= page_size; ) {
    const read = await ports.tenants(after, largestRead);
    if (read.isErr()) return err(read.error);
    const tenants = read.value.map(({ tenant }) => tenant);
    found.push(...tenants.filter((tenant) => tenant.environment === environment));
    isMore = tenants.length === largestRead;
    after = tenants.at(-1);
  }
  const page = found.slice(0, page_size);
  const results = page.map(
    (tenant): PartnerItem => ({ partner: tenant.partner, partner_name: nameOf(tenant) }),
  );
  const last = found.length > page_size ? page.at(-1) : undefined;
  return ok({ results, next: last ? start + last.partner : null });
}
