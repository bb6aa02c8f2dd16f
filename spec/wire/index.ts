import type { LawGroup } from '../laws.js';
import { answerHeaders } from './answer-headers.js';
import { authorization } from './authorization.js';
import { bodies } from './bodies.js';
import { categories } from './categories.js';
import { createAnswers } from './creates/answers.js';
import { paymentTokens } from './creates/payment-tokens.js';
import { createdStages } from './creates/stages.js';
import { createdValues } from './creates/values.js';
import { newBilling } from './details/billing.js';
import { dealById } from './details/deal.js';
import { dealDetails } from './details/details.js';
import { errors } from './errors.js';
import { eventGroups } from './events/index.js';
import { fieldGroups } from './fields/index.js';
import { fileGroups } from './files/index.js';
import { headers } from './headers.js';
import { health } from './health.js';
import { conflicts } from './identity/conflicts.js';
import { contractors } from './identity/contractors.js';
import { partnerIds } from './identity/names.js';
import { strangers } from './identity/strangers.js';
import { keyForms } from './keys/forms.js';
import { keyOrder } from './keys/order.js';
import { keyRaces } from './keys/races.js';
import { replays } from './keys/replay.js';
import { reusedKeys } from './keys/reused.js';
import { languages } from './languages.js';
import { lifeGroups } from './life/index.js';
import { listFilters } from './lists/filters.js';
import { listItems } from './lists/items.js';
import { listPages } from './lists/pages.js';
import { listTimes } from './lists/times.js';
import { malformed } from './malformed.js';
import { methods } from './methods.js';
import { paths } from './paths.js';
import { promises } from './promises.js';
import { secrecy } from './secrecy.js';
import type { Server } from './server.js';
import { termsGroups } from './terms/index.js';
import { units } from './units.js';
import { webhookGroups } from './webhooks/index.js';

/** All laws that are judged over the wire. */
export const wireGroups: readonly LawGroup<Server>[] = [
  authorization,
  headers,
  health,
  errors,
  secrecy,
  languages,
  methods,
  paths,
  bodies,
  malformed,
  categories,
  promises,
  ...fieldGroups,
  createAnswers,
  createdValues,
  createdStages,
  paymentTokens,
  conflicts,
  partnerIds,
  contractors,
  strangers,
  replays,
  reusedKeys,
  keyForms,
  keyOrder,
  keyRaces,
  dealById,
  dealDetails,
  newBilling,
  answerHeaders,
  listItems,
  listPages,
  listFilters,
  listTimes,
  ...fileGroups,
  ...eventGroups,
  ...webhookGroups,
  ...lifeGroups,
  ...termsGroups,
  units,
];
