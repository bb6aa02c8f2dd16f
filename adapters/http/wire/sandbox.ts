import type { SandboxApi, SandboxTime } from 'dealwright';
import { acceptance, dealDetails, stageRemarks } from './deals.js';
import { reportMembers, resolutionMembers } from './operator.js';
import { commandRow, type Row, routesOf } from './route.js';
import type { Shape } from './shape.js';
import { acceptanceInput, decisionRow, proposal, proposeRow } from './terms.js';

export const sandboxTime: Shape<SandboxTime> = { now: 'time', due_left: 'boolean' };

/** The members of all commands. */
export const everyMember = {
  ...stageRemarks,
  ...resolutionMembers,
  ...reportMembers,
  ...acceptance,
};

const sandbox = '/api/2.0/sandbox/';
const ofActor = `${sandbox}deal/{partner_id}/{actor}/`;

const rows = {
  command: commandRow(ofActor, '{command}', everyMember, dealDetails),
  propose: proposeRow(ofActor, proposal),
  decideProposal: decisionRow(ofActor, '{decision}', acceptanceInput, proposal),
  advanceClock: {
    path: `${sandbox}clock/`,
    input: 'command',
    answer: sandboxTime,
    keyed: false,
    members: { advance_seconds: true },
    // production has no such clock
    errors: ['not_found'],
  },
} as const satisfies { readonly [K in keyof SandboxApi]: Row };

/** The further routes of a partner in the sandbox (decision 6.6). */
export const sandboxRoutes = /* @__PURE__ */ routesOf<keyof SandboxApi>('sandbox', rows);
