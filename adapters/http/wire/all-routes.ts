import type { FreelancerApi, PartnerApi, SandboxApi } from 'dealwright';
import { commandsOf, type Lifecycle, methodOf } from 'dealwright/life';
import { type AnyShape, dealDetails, offerView, operatorView } from './answers.js';
import { everyMember } from './members.js';
import { offerRoutes } from './offer-routes.js';
import { type OperatorOperation, operatorRoutes } from './operator-routes.js';
import { commandRow, type Face, type Route, type Row, routesOf } from './route.js';
import { routes } from './routes.js';
import { sandboxRoutes } from './sandbox-routes.js';

const ours: readonly Route[] = [routes, offerRoutes, operatorRoutes, sandboxRoutes].flatMap(
  (each) => Object.values<Route>(each),
);

/** The names of our routes, but for those by a parameter. */
export type OperationName =
  | keyof PartnerApi
  | `offer${Capitalize<keyof FreelancerApi>}`
  | `operator${Capitalize<OperatorOperation>}`
  | `sandbox${Capitalize<keyof SandboxApi>}`;

const places = [
  ['partner', '/api/2.0/deal/{partner_id}/', dealDetails],
  ['freelancer', '/api/2.0/offer/', offerView],
  ['operator', '/operator/{partner}/deal/{partner_id}/', operatorView],
] as const satisfies readonly (readonly [Face, string, AnyShape])[];

/** The routes of every face, with the commands of a host's own life cycle and no others. */
export function allRoutes(lifecycle?: Lifecycle): readonly Route[] {
  if (lifecycle === undefined) return ours;
  const isKnown = ({ face, command }: Route) =>
    face === 'sandbox' || command === undefined || commandsOf(lifecycle, face).includes(command);
  const paths = new Set(ours.map(({ path }) => path));
  const own = places.flatMap(([face, place, answer]) => {
    const rows: Record<string, Row> = {};
    for (const command of commandsOf(lifecycle, face)) {
      const row = commandRow(place, command, everyMember, answer);
      if (paths.has(row.path)) continue;
      rows[methodOf(command)] = place.includes('{partner_id}') ? { by: 'partner_id', ...row } : row;
    }
    return Object.values(routesOf(face, rows));
  });
  return [...ours.filter(isKnown), ...own];
}
