import { lifecycle } from 'dealwright/life';
import { type RouteName, routes } from '../../../adapters/http/wire/routes.js';

/** What a route is asked by for a deal with this identifier. */
export function targetOf(name: RouteName, partner_id: string): string {
  const { path, by } = routes[name];
  const id = encodeURIComponent(partner_id);
  return by === 'partner_id' ? path.replace('{partner_id}', id) : `${path}?partner_id=${id}`;
}

/** Rules of a host: every command has a guard, ours has some without. */
export const refused = 'Not with me.';
export const guarded = lifecycle.map((rule) => ({
  ...rule,
  guards: [
    ...('guards' in rule ? rule.guards : []),
    {
      reason: 'stage_closed' as const,
      says: 'nobody says otherwise',
      holds: ({ command }: { readonly command: { readonly message?: string } }) =>
        command.message !== refused,
    },
  ],
}));

/** What a partner does with a new deal of version 1.0 until it knows a command. */
const beforeDelivery = ['accept', 'uploadWorkFile'] as const;
export const steps: Readonly<Record<string, readonly RouteName[]>> = {
  deliver: beforeDelivery,
  requestChanges: [...beforeDelivery, 'deliver'],
  approve: [...beforeDelivery, 'deliver'],
  dispute: [...beforeDelivery, 'deliver'],
  requestPayment: [...beforeDelivery, 'deliver'],
};
