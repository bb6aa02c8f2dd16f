import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { accepted } from './accepted.js';
import { answersGroup } from './answers.js';
import { commandLaws } from './commands.js';
import { contractorLaws } from './contractor.js';
import { type DataLaw, fileReader } from './data-laws.js';
import { dealLaws, dealV2Laws } from './deals.js';
import { dataGroup } from './judging.js';
import { listLaws, operatorListLaws } from './lists.js';
import { sharedLaws } from './shared.js';
import { uploadLaws } from './uploads.js';
import { webhookLaws } from './webhooks.js';

/** A case of a file judges the first law that fits: the rules of every field come last. */
const groups: Readonly<Record<string, readonly DataLaw[]>> = {
  'fields of a contractor': contractorLaws,
  'fields of a deal of version 1.0': dealLaws,
  'fields of a deal of version 2.0': dealV2Laws,
  'bodies of commands and reports': commandLaws,
  'bodies of uploads': uploadLaws,
  'bodies of webhooks': webhookLaws,
  'parameters of lists': listLaws,
  'rules of every field': sharedLaws,
  'parameters of the operator': operatorListLaws,
};

/** All laws that are judged by the cases of files. */
export const dataLaws: readonly DataLaw[] = Object.values(groups).flat();

/** Reads a file, and which of its cases judge which law. */
export const readFile = fileReader(dataLaws);

/** The rules of every field over the wire. */
export const fieldGroups: readonly LawGroup<Server>[] = [
  ...Object.entries(groups).map(([name, laws]) => dataGroup(name, laws, readFile)),
  answersGroup(dataLaws, readFile),
  accepted,
];
