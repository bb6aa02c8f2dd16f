// @ts-check
// The scenes of proposals, terms and bonuses.
import {
  accepted,
  amended,
  amendment,
  declined,
  proposed,
  proposedToFreelancer,
  rejected,
  rejectedByFreelancer,
  second,
  settled,
} from './steps.mjs';
import { emptyMessage, emptyPage, without } from './wrong.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('./steps.mjs').Step} Step */

const byId = { partner_id: second };
const byOperator = { partner: 'acme', ...byId };

/** @param {Readonly<Record<string, unknown>>} parameters */
const termsReads = (parameters) => ({
  listProposals: {
    parameters: { ...parameters, page_size: 2 },
    after: proposed,
    wrong: emptyPage,
  },
  retrieveProposal: { parameters, after: proposed },
  listTerms: { parameters: { ...parameters, page_size: 2 }, after: amended, wrong: emptyPage },
});

/** @type {Pick<Scene, 'after' | 'body' | 'wrong' | 'illegal' | 'refused'>} */
const proposal = {
  after: accepted,
  body: amendment,
  wrong: without('kind'),
  illegal: { after: declined },
  refused: { after: accepted, body: { kind: 'amendment', changes: { amount: '500.00' } } },
};
/** @param {Step} after @param {Step} closed */
const acceptance = (after, closed) => ({
  after,
  body: (/** @type {Readonly<Record<string, unknown>>} */ { terms_sha256 }) => ({ terms_sha256 }),
  wrong: without('terms_sha256'),
  illegal: { after: closed },
  refused: { after, body: { terms_sha256: '0'.repeat(64) } },
});
/** @param {Step} after @param {Step} closed */
const rejection = (after, closed) => ({
  after,
  body: { message: 'That is too much.' },
  wrong: emptyMessage,
  illegal: { after: closed },
});

/** @param {string} face @param {Readonly<Record<string, Scene>>} own */
const ofFace = (face, own) =>
  Object.fromEntries(
    Object.entries(own).map(([name, scene]) => [
      `${face}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      scene,
    ]),
  );

/** @type {Readonly<Record<string, Scene>>} */
export const termsScenes = {
  addBonus: {
    parameters: byId,
    after: accepted,
    body: { amount: '50.00', message: 'For the extra page.' },
    wrong: without('amount'),
    illegal: {},
    refused: { after: accepted, body: { amount: '999999999999999999.99' } },
  },
  propose: { parameters: byId, ...proposal },
  acceptProposal: { parameters: byId, ...acceptance(proposed, rejected) },
  rejectProposal: { parameters: byId, ...rejection(proposed, amended) },
  withdrawProposal: {
    parameters: byId,
    ...rejection(proposedToFreelancer, rejectedByFreelancer),
  },
  ...termsReads(byId),
  freelancerPropose: proposal,
  freelancerAcceptProposal: acceptance(proposedToFreelancer, rejectedByFreelancer),
  freelancerRejectProposal: rejection(proposedToFreelancer, settled),
  freelancerWithdrawProposal: rejection(proposed, rejected),
  ...ofFace('freelancer', termsReads({})),
  ...ofFace('operator', termsReads(byOperator)),
  sandboxPropose: { parameters: { ...byId, actor: 'freelancer' }, ...proposal },
  sandboxDecideProposal: {
    parameters: { ...byId, actor: 'partner', decision: 'accept' },
    ...acceptance(proposed, rejected),
  },
};
