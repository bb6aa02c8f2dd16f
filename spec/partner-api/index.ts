import { type ContractOptions, opening, runGroups } from '../contract.js';
import { type ContractRunner, checkRunner } from '../expectations.js';
import { type LawGroup, within } from '../laws.js';
import { categories } from './categories.js';
import { commandRefusals } from './command-refusals.js';
import { commands } from './commands.js';
import { events } from './events.js';
import { examples } from './examples.js';
import { feeds } from './feeds.js';
import { hostileInput } from './hostile-input.js';
import { idempotency } from './idempotency.js';
import { identity } from './identity.js';
import { listFilters } from './list-filters.js';
import { lists } from './lists.js';
import { promises } from './promises.js';
import { proposals } from './proposals.js';
import { races } from './races.js';
import { retrieving } from './retrieving.js';
import { type PartnerApiSubject, viewsOf } from './subject.js';
import { terms } from './terms.js';
import { tokens } from './tokens.js';
import { uploadRefusals } from './upload-refusals.js';
import { uploads } from './uploads.js';
import { validation } from './validation.js';
import { webhooks } from './webhooks.js';

/** The groups of the contract; a case makes its own names anew each time it runs. */
export const partnerGroups: readonly LawGroup<PartnerApiSubject>[] = [
  examples,
  categories,
  validation,
  retrieving,
  lists,
  listFilters,
  uploads,
  uploadRefusals,
  commands,
  commandRefusals,
  proposals,
  terms,
  events,
  feeds,
  webhooks,
  tokens,
  promises,
  hostileInput,
  idempotency,
  identity,
  races,
].map((group) => within(group, (body) => (subject) => body(viewsOf(subject))));

/**
 * The behaviour of `PartnerApi` in every implementation: in process, over a wire, by a third party.
 * A case is a guest: it needs no empty service, finds what it has made by names of its own, and
 * leaves alone what others have. All cases may share one service, also at the same time. The rules
 * are those of the interface profile, and a deal has one stage.
 *
 * A case about something that the service does not promise is skipped: about a tenant that `api`
 * does not have, or a method that throws `NotApplicable`.
 *
 * `options.groups` are the names of the groups to run, for example `['identity', 'races']`;
 * default: all.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { type PartnerApiSubject, partnerApiContract } from 'dealwright/spec';
 *
 * declare function makeSubject(): PartnerApiSubject;
 * partnerApiContract({ describe, it }, makeSubject);
 * ```
 */
export function partnerApiContract(
  runner: ContractRunner,
  makeSubject: () => PartnerApiSubject | PromiseLike<PartnerApiSubject>,
  options: ContractOptions = {},
): void {
  checkRunner(runner, 'partnerApiContract');
  runGroups(runner, 'PartnerApi', partnerGroups, opening(makeSubject), options);
}
