import { type LawGroup, within } from '../../laws.js';
import type { Server } from '../server.js';
import { amendments } from './amendments.js';
import { amountsOfV1 } from './amounts-v1.js';
import { bonuses } from './bonuses.js';
import { consent } from './consent.js';
import { consentOfV1, termsBounds } from './consent-v1.js';
import { termsEvents } from './events.js';
import { termsFaces } from './faces.js';
import { finePrint } from './fine-print.js';
import { proposalForms } from './forms.js';
import { termsKeys } from './keys.js';
import { legalProposals } from './legal-proposals.js';
import { longPages } from './long-pages.js';
import { moneyOfTerms, prepaidTerms } from './money.js';
import { negotiation } from './negotiation.js';
import { overdue } from './overdue.js';
import { proposals } from './proposals.js';
import { settlements } from './settlements.js';
import { proposalSides } from './sides.js';
import { versions } from './versions.js';

const groups: readonly LawGroup<Server>[] = [
  proposals,
  proposalSides,
  proposalForms,
  legalProposals,
  amendments,
  amountsOfV1,
  consent,
  versions,
  moneyOfTerms,
  prepaidTerms,
  settlements,
  bonuses,
  termsFaces,
  longPages,
  termsKeys,
  termsEvents,
  overdue,
  negotiation,
  consentOfV1,
  termsBounds,
  finePrint,
];

/** The laws of proposals, terms, bonuses and due dates. */
export const termsGroups: readonly LawGroup<Server>[] = groups.map((group) =>
  within(group, (body) => async (server) => {
    // a server that does not promise terms is not judged: its deals have no members of them
    await server.partner.send('GET', `/api/2.0/deal/${server.name('none')}/terms/`);
    await body(server);
  }),
);
