import type { SandboxApi } from 'dealwright';
import { dealDetails } from './answers.js';
import { sandboxTime } from './face-answers.js';
import { everyMember } from './face-members.js';
import { commandRow, type Row, routesOf } from './route.js';

const sandbox = '/api/2.0/sandbox/';

const rows = {
  command: {
    by: 'partner_id',
    ...commandRow(`${sandbox}deal/{partner_id}/{actor}/`, '{command}', everyMember, dealDetails),
  },
  advanceClock: {
    path: `${sandbox}clock/`,
    input: 'command',
    answer: sandboxTime,
    keyed: false,
    members: { advance_seconds: true },
    // production has none
    errors: ['not_found'],
  },
} as const satisfies { readonly [K in keyof SandboxApi]: Row };

/** What a partner can do in the sandbox besides (decision 6.6). */
export const sandboxRoutes = routesOf<keyof SandboxApi>('sandbox', rows);
