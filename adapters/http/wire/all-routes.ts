import { commandsOf, type Lifecycle, methodOf } from 'dealwright/life';
import { type AnyShape, dealDetails, offerView, operatorView } from './answers.js';
import { everyMember } from './members.js';
import { offerRoutes } from './offer-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { commandRow, type Face, type Route, type Row, routesOf } from './route.js';
import { routes } from './routes.js';
import { sandboxRoutes } from './sandbox-routes.js';

const ours: readonly Route[] = [routes, offerRoutes, operatorRoutes, sandboxRoutes].flatMap(
  (each) => Object.values<Route>(each),
);

const places = [
  ['partner', '/api/2.0/deal/{partner_id}/', dealDetails],
  ['freelancer', '/api/2.0/offer/', offerView],
  ['operator', '/operator/{partner}/deal/{partner_id}/', operatorView],
] as const satisfies readonly (readonly [Face, string, AnyShape])[];

/** The routes of every face, those of the commands of a host's own rows too. */
export function allRoutes(lifecycle: Lifecycle = []): readonly Route[] {
  const paths = new Set(ours.map(({ path }) => path));
  const own = places.flatMap(([face, place, answer]) => {
    const rows: Record<string, Row> = {};
    for (const command of commandsOf(lifecycle, face)) {
      const row = commandRow(`${place}${command}/`, everyMember, answer);
      if (paths.has(row.path)) continue;
      rows[methodOf(command)] = place.includes('{partner_id}') ? { by: 'partner_id', ...row } : row;
    }
    return Object.values(routesOf(face, rows));
  });
  return [...ours, ...own];
}
