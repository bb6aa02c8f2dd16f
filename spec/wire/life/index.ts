import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { events } from './events.js';
import { freelancerFace, partnerFace } from './faces.js';
import { forms } from './forms.js';
import { guards, repeats } from './guards.js';
import { keys } from './keys.js';
import { effectsOfMoves, legalMoves } from './moves.js';
import { illegalMoves } from './refusals.js';

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
  events,
];
