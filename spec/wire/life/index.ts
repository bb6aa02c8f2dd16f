import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { requests } from './asking.js';
import { clock, deadlines } from './clock.js';
import { events } from './events.js';
import { freelancerFace, partnerFace } from './faces.js';
import { forms } from './forms.js';
import { guards, repeats } from './guards.js';
import { keys } from './keys.js';
import { magic } from './magic.js';
import { moneyBack } from './money-back.js';
import { moneyEvents } from './money-events.js';
import { moneyTold } from './money-told.js';
import { effectsOfMoves, legalMoves } from './moves.js';
import { notices } from './notices.js';
import { operatorCommands } from './operator.js';
import { operatorFace } from './operator-face.js';
import { operatorLists } from './operator-lists.js';
import { payouts } from './payouts.js';
import { refunds } from './refunds.js';
import { illegalMoves } from './refusals.js';
import { reportsOfPayments } from './reports.js';
import { sandboxFace } from './sandbox.js';
import { surplus } from './surplus.js';
import { unmatchedReports } from './unmatched-reports.js';
import { views } from './views.js';

/** The laws of the life of a deal. */
export const lifeGroups: readonly LawGroup<Server>[] = [
  legalMoves,
  effectsOfMoves,
  illegalMoves,
  guards,
  repeats,
  forms,
  keys,
  partnerFace,
  freelancerFace,
  views,
  events,
  requests,
  reportsOfPayments,
  surplus,
  unmatchedReports,
  moneyBack,
  payouts,
  refunds,
  moneyEvents,
  moneyTold,
  sandboxFace,
  magic,
  clock,
  deadlines,
  notices,
  operatorCommands,
  operatorFace,
  operatorLists,
];
