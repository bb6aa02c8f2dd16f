import { type ContractRunner, checkRunner } from '../expectations.js';
import { categories } from './categories.js';
import { commandRefusals } from './command-refusals.js';
import { commands } from './commands.js';
import { events } from './events.js';
import { examples } from './examples.js';
import { hostileInput } from './hostile-input.js';
import { idempotency } from './idempotency.js';
import { identity, races } from './identity.js';
import { listFilters } from './list-filters.js';
import { lists } from './lists.js';
import { retrieving } from './retrieving.js';
import { caseWith, type PartnerApiSubject } from './subject.js';
import { uploadRefusals } from './upload-refusals.js';
import { uploads } from './uploads.js';
import { validation } from './validation.js';
import { webhooks } from './webhooks.js';

/**
 * The behaviour of `PartnerApi` in every implementation: in process, over a wire, by a third party.
 * Each case gets an empty service of its own; the category tree has subcategory 75 and names in
 * English and in Polish, the rules are those of the interface profile, and a deal has one stage.
 * No case is left out for any subject; one with webhooks says so.
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
): void {
  checkRunner(runner, 'partnerApiContract');
  const define = caseWith(runner, makeSubject);
  const groups = {
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
    events,
    webhooks,
    hostileInput,
    idempotency,
    identity,
    races,
  };
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`PartnerApi: ${names[name as keyof typeof groups]}`, () => group(define));
  }
}

const names = {
  examples: 'the documented examples',
  categories: 'categories',
  validation: 'the rules of input',
  retrieving: 'retrieving deals',
  lists: 'lists of deals',
  listFilters: 'filters of lists',
  uploads: 'work files',
  uploadRefusals: 'work files that are refused',
  commands: 'commands',
  commandRefusals: 'commands that are refused',
  events: 'feeds and time lines',
  webhooks: 'webhooks',
  hostileInput: 'hostile input',
  idempotency: 'idempotency keys',
  identity: 'identity',
  races: 'races',
} as const;
