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

/** An answer that shows that the scene of a case is not one of the server. */
interface OtherScene {
  readonly supposition: keyof typeof suppositions;
  readonly path: RegExp;
  readonly answer: RegExp;
}

/** Laws of payment before the work pay it, and those of stages name them: theirs have no such answer. */
const otherScenes: readonly OtherScene[] = [
  { supposition: 'invoice', path: /\/deliver\/?$/, answer: /"reason":"not_paid"/ },
  {
    supposition: 'stages',
    path: /./,
    answer: /"path":\["stage_id"\],"code":"required"|"reason":"stages_required"/,
  },
];

/**
 * Why the scene of a case is not one of a server with these promises: there, work has to be paid
 * before it is delivered, or a file is for one of several stages.
 */
export function otherScene(
  { id }: Law,
  promised: Promised,
  exchanges: readonly Exchange[],
): string | undefined {
  if (id.includes('/prepaid')) return undefined;
  const found = otherScenes.find(
    ({ supposition, path, answer }) =>
      !suppositions[supposition].holds(promised) &&
      exchanges.some(
        ({ url, status = 0, answer: bytes }) =>
          [400, 409].includes(status) &&
          path.test(url.split('?')[0] ?? '') &&
          answer.test(new TextDecoder().decode(bytes).replaceAll(/\s/g, '')),
      ),
  );
  return found && suppositions[found.supposition].otherwise;
}
