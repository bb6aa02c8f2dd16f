import type { FreelancerApi, SandboxApi } from 'dealwright';
import { commandsOf, type Lifecycle, methodOf } from 'dealwright/life';
import { dealDetails, operatorView } from './deals.js';
import { freelancerRoutes, freelancerView } from './freelancer.js';
import { type OperatorOperation, operatorRoutes } from './operator.js';
import { type PartnerRoute, partnerRoutes } from './partner.js';
import { isForEveryFace } from './promises.js';
import { commandRow, type Face, type Route, type Row, routesOf } from './route.js';
import { everyMember, sandboxRoutes } from './sandbox.js';
import type { AnyShape } from './shape.js';

const ours: readonly Route[] = [partnerRoutes, freelancerRoutes, operatorRoutes, sandboxRoutes]
  .flatMap((each) => Object.values<Route>(each).flatMap(inBothWays))
  // the promises of a service have one path for every face, and are one route
  .filter((each) => each.face === 'partner' || !isForEveryFace(each));

/** The operation that every face has at the same path. */
type ForEvery = 'retrievePromises';

/** The names of our routes, without those by a parameter. */
export type OperationName =
  | PartnerRoute
  | `freelancer${Capitalize<Exclude<keyof FreelancerApi, ForEvery>>}`
  | `operator${Capitalize<Exclude<OperatorOperation, ForEvery>>}`
  | `sandbox${Capitalize<keyof SandboxApi>}`;

const places = [
  ['partner', '/api/2.0/deal/{partner_id}/', dealDetails],
  ['freelancer', '/api/2.0/offer/', freelancerView],
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
      rows[methodOf(command)] = row;
    }
    return Object.values(routesOf(face, rows)).flatMap(inBothWays);
  });
  return [...ours.filter(isKnown), ...own];
}

/**
 * Adds the route by a query parameter to every path with a `partner_id`: some ids do not survive in
 * a path (decision 6.7).
 */
function inBothWays(route: Route): readonly Route[] {
  if (route.by !== 'partner_id') return [route];
  const name = `${route.name}ByParameter`;
  const path = route.path.replace('{partner_id}', 'by-id');
  return [route, { ...route, name, path, by: 'partner_id_parameter' }];
}

/** The name of a route, without the ending of the routes by a parameter. */
export function baseNameOf({ name }: Pick<Route, 'name'>): string {
  return name.replace(/ByParameter$/, '');
}
