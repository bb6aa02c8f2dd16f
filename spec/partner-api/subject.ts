import type {
  CallOptions,
  ContractorInput,
  DealInput,
  DealV2Input,
  FileUpload,
} from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { CategoryTree } from '../../src/domain/deals/category.js';
import type { Environment, Tenant } from '../../src/domain/values/tenant.js';
import { checkOptions } from '../../src/ports/options.js';
import { exampleContractor, exampleDeal, exampleDealV2 } from '../examples.js';
import { groupsOf, NotApplicable } from '../laws.js';
import { type Create, type CreateName, createsOf } from './creates.js';

/**
 * The subject of the suite of `PartnerApi`: a service, which need not be empty, and may be the same
 * for all cases. What a service does not promise throws `NotApplicable`.
 */
export interface PartnerApiSubject {
  /** The view of one of `contractTenants`; `undefined` if the service has no such tenant. */
  api(tenant: Tenant): PartnerApi | undefined;
  /**
   * Bytes that a work file may have; default 25 MiB (decision 5.2): a lower limit takes less time.
   */
  readonly fileLimit?: number;
  /** Values that it takes, if not those of the examples. */
  readonly values?: Pick<DealV2Input, 'copyright_transfer' | 'freelancer_language'>;
  /** Whether it has webhooks; default `false`: then every call about them is `not_found`. */
  readonly webhooks?: boolean;
  /**
   * The beginning of every `partner_id`, e-mail address and file that a case makes, before the part
   * that is drawn for each case: 1 to 12 characters of a-z, 0-9 and hyphen; default: none.
   */
  readonly prefix?: string;
  /** The id of a subcategory; default 75. */
  readonly subcategory?: number;
  /** The category tree, if it is known: then its names are judged too. */
  readonly categories?: CategoryTree;
  /** The environment of the first tenant; default `sandbox`. */
  readonly environment?: Environment;
  close(): PromiseLike<void>;
}

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
const acmeLive: Tenant = { environment: 'production', partner: 'acme' };

/**
 * The tenants of the suite: over a wire, a subject has a token for each.
 *
 * @example
 * ```ts
 * import { contractTenants } from 'dealwright/spec';
 *
 * const tokens = contractTenants.map(({ environment, partner }) => `${environment}-${partner}`);
 * ```
 */
export const contractTenants: readonly Tenant[] = [acme, globex, acmeLive];

/** The service of a case, and what is the case's own in it; most use `api`. */
export interface Views {
  /** acme in the sandbox */
  readonly api: PartnerApi;
  /** another partner in the same environment */
  readonly other: PartnerApi;
  /** the same partner in the other environment */
  readonly live: PartnerApi;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  /** Whether the service has webhooks. */
  readonly webhooks: boolean;
  readonly subcategory: number;
  readonly categories: CategoryTree | undefined;
  /** The environment of `api`. */
  readonly environment: Environment;

  /** The beginning of every `partner_id` of the case, of at most 24 characters. */
  readonly prefix: string;
  /** The documented contractor, with an address of the case. */
  readonly contractor: ContractorInput;
  /** The documented deal, for the contractor of the case. */
  readonly deal: DealInput;
  /** A deal of version 2.0 with the same `partner_id`, for the same address. */
  readonly dealV2: DealV2Input;
  /** A small file, which every service accepts. */
  readonly file: FileUpload;
  /** An idempotency key of the case. */
  readonly key: Required<Pick<CallOptions, 'idempotencyKey'>>;
  /** The three creates, each with an input that succeeds once it is prepared. */
  readonly operations: Readonly<Record<CreateName, Create>>;
  /** A `partner_id`, or a key, of the case: the same for the same text, of at most 16 characters. */
  name(text: string): string;
  /** An e-mail address of the case: the same for the same text. */
  email(text: string): string;
}

/** The views of others: each has cases of its own, since a service may have one of them alone. */
export const strangers = {
  other: 'another partner',
  live: 'the other environment',
} as const;
export type Stranger = keyof typeof strangers;
export const everyStranger = Object.keys(strangers) as readonly Stranger[];

export const group = groupsOf<Views>();

/** The views of a case. */
export function viewsOf(subject: PartnerApiSubject): Views {
  const { fileLimit = 25 * 2 ** 20, webhooks = false, subcategory = 75, categories } = subject;
  const { environment = 'sandbox', values } = subject;
  const prefix = prefixOf(subject);
  const name = (text: string) => {
    const named = `${prefix}${text}`;
    if ([...named].length > 40) throw new TypeError(`a partner_id is too long: ${named}`);
    return named;
  };
  const email = (text: string) => `${prefix}${text}@example.com`;
  const address = email('user');
  const partner_id = name('deal');
  const contractor = { ...exampleContractor, email: address };
  const deal = {
    ...exampleDeal,
    partner_id,
    contractor_email: address,
    sub_category_id: subcategory,
  };
  const dealV2 = {
    ...exampleDealV2,
    ...values,
    partner_id,
    email_freelancer: address,
    subcategory_id: subcategory,
  };
  const views = new Map<Tenant, PartnerApi>();
  const viewOf = (tenant: Tenant, what: string): PartnerApi => {
    const view = views.get(tenant) ?? subject.api(tenant);
    if (view === undefined) throw new NotApplicable(`the service has no view of ${what}`);
    views.set(tenant, view);
    return view;
  };
  return {
    get api() {
      return viewOf(acme, 'a partner');
    },
    get other() {
      return viewOf(globex, strangers.other);
    },
    get live() {
      return viewOf(acmeLive, strangers.live);
    },
    ...{ fileLimit, webhooks, subcategory, categories, environment, prefix },
    ...{ contractor, deal, dealV2, name, email },
    file: {
      name: `${prefix}draft.txt`,
      content_type: 'text/plain',
      content: Uint8Array.of(0x61, 0x62, 0x63),
    },
    key: { idempotencyKey: name('key') },
    operations: createsOf(contractor, deal, dealV2),
  };
}

/** A beginning that no other case has, not even one of another run with the same seed. */
function prefixOf({ prefix }: PartnerApiSubject): string {
  checkOptions('partnerApiContract', {
    'prefix has 1 to 12 characters of a-z, 0-9 and hyphen':
      prefix === undefined || /^[a-z0-9-]{1,12}$/.test(prefix),
  });
  const [drawn = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  const own = drawn.toString(36).padStart(10, '0').slice(-10);
  return prefix === undefined ? `${own}-` : `${prefix}-${own}-`;
}
