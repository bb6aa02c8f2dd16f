import type { Law } from '../laws.js';
import { type Promised, usualPromises } from '../wire/promised.js';
import { supposing } from './supposing.js';
import type { Exchange } from './transport.js';

/** What the cases of a law may suppose of a server. */
interface Supposition {
  readonly holds: (promised: Promised) => boolean;
  /** Why the law is not applicable where it does not hold. */
  readonly otherwise: string;
}

const isUsual =
  (...names: readonly (keyof Promised)[]) =>
  (promised: Promised) =>
    names.every((name) => String(promised[name]) === String(usualPromises[name]));

/** What cases may suppose, by its name. */
export const suppositions = {
  invoice: { holds: isUsual('mode'), otherwise: 'the employer pays before the work' },
  fees: { holds: isUsual('takes_fees'), otherwise: 'a deal may have fees' },
  stages: { holds: isUsual('splits_deals'), otherwise: 'the host may split a deal' },
  rules: { holds: isUsual('profile'), otherwise: 'it has other rules than the interface' },
  contractors: {
    holds: isUsual('contractor_scope'),
    otherwise: 'a contractor is known to its partner alone',
  },
  sets: {
    holds: isUsual('copyright_transfer', 'freelancer_language'),
    otherwise: 'the host has sets of values of its own',
  },
  description: {
    holds: isUsual('max_description'),
    otherwise: 'the host has a limit of descriptions of its own',
  },
  bodies: {
    holds: ({ max_body_size: most }) => most >= usualPromises.max_body_size,
    otherwise: 'its limit of bodies is less than what a case sends',
  },
  files: {
    holds: ({ max_file_size: most }) => most > 1.5 * 2 ** 20 && most < 64 * 2 ** 20,
    otherwise: 'its limit of files is beyond what a case sends',
  },
  expiry: { holds: isUsual('expires_v1_deals'), otherwise: 'deals of version 1.0 expire' },
  workDays: {
    holds: isUsual('default_work_days'),
    otherwise: 'the host has a number of work days of its own',
  },
  proposalDays: {
    holds: isUsual('proposal_days'),
    otherwise: 'a proposal is open for a time that the host chose',
  },
  expiryNotice: {
    holds: isUsual('expiry_notice_days'),
    otherwise: 'the host chose when to tell that a deal expires',
  },
  reviewNotice: {
    holds: isUsual('review_notice_days'),
    otherwise: 'the host chose when to tell that a review ends',
  },
} as const satisfies Readonly<Record<string, Supposition>>;

/** Why a law does not concern a server with these promises. */
export function unconcerned({ id }: Law, promised: Promised): string | undefined {
  for (const [name, { holds, otherwise }] of Object.entries<Supposition>(suppositions)) {
    const laws = supposing[name as keyof typeof suppositions];
    if (!holds(promised) && laws.some((each) => id === each || id.startsWith(`${each}/`))) {
      return otherwise;
    }
  }
  return undefined;
}

/** What a case asks for that only a server with other promises answers as the case expects. */
interface OtherScene {
  readonly supposition: keyof typeof suppositions;
  /** The answer to it. */
  readonly answer: RegExp;
  /** Whether this answer is right for the request, by what came before it. */
  readonly isRight: (
    exchange: Exchange,
    before: readonly Exchange[],
    promised: Promised,
  ) => boolean;
  /** The laws about this answer: they mean to get it. */
  readonly own?: RegExp;
}

const otherScenes: readonly OtherScene[] = [
  {
    supposition: 'invoice',
    answer: /"reason":"not_paid"/,
    isRight: ({ url }, before) => /\/deliver\/?$/.test(url) && !before.some(reportsPayment),
    own: /\/prepaid/,
  },
  {
    supposition: 'stages',
    answer: /"path":\["stage_id"\],"code":"required"/,
    isRight: ({ url, body }) => !`${url}${textOf(body)}`.includes('stage_id'),
  },
  {
    supposition: 'stages',
    answer: /"reason":"stages_required"/,
    isRight: ({ body }) => !textOf(body).includes('"stages"'),
  },
  {
    supposition: 'bodies',
    answer: /"code":"payload_too_large"/,
    isRight: ({ headers, body }, _, { max_body_size }) =>
      /json/i.test(String(new Headers(headers).get('content-type'))) &&
      bytesOf(body).length > max_body_size,
    own: /^5\.2\/bodies\/size/,
  },
];

const reportsPayment = ({ url, body, status = 0 }: Exchange) =>
  status < 300 && /\/record-employer-payment\/?$/.test(url) && /"status":"paid"/.test(textOf(body));

const bytesOf = (body: Exchange['body']) =>
  typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());

const textOf = (body: Exchange['body']) =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

/**
 * Why a case that failed has a scene that a server with these promises does not have: there, work
 * has to be paid before it is delivered, a file is for one of several stages, or a body is too large.
 * What the case asked for decides it, not the answer alone.
 */
export function otherScene(
  { id }: Law,
  promised: Promised,
  exchanges: readonly Exchange[],
): string | undefined {
  const found = otherScenes.find(
    ({ supposition, answer: refusal, isRight, own }) =>
      !suppositions[supposition].holds(promised) &&
      own?.test(id) !== true &&
      exchanges.some(
        (exchange, at) =>
          [400, 409, 413].includes(exchange.status ?? 0) &&
          refusal.test(textOf(exchange.answer).replaceAll(/\s/g, '')) &&
          isRight(exchange, exchanges.slice(0, at), promised),
      ),
  );
  return found && suppositions[found.supposition].otherwise;
}
