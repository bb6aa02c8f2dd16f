import { type Guard, type Lifecycle, lifecycle } from 'dealwright/life';

/** A guard of the host's own: it refuses with one of the existing reasons. */
export const nothingDelivered: Guard = {
  reason: 'work_delivered',
  says: 'nothing was delivered yet',
  holds: ({ state }) => state.stage.every(({ status }) => status === 'pending'),
};

/** A host whose operator may put an accepted deal on hold: rows of its own after ours. */
export const hostLifecycle = [
  ...lifecycle,
  {
    command: 'hold',
    by: ['operator'],
    from: ['accepted'],
    guards: [nothingDelivered],
    to: 'on_hold',
    event: 'deal.held',
  },
  { command: 'resume', by: ['operator'], from: ['on_hold'], to: 'accepted', event: 'deal.resumed' },
  {
    command: 'cancel',
    by: ['operator'],
    from: ['on_hold'],
    requires: ['reason'],
    to: 'cancelled',
    freelancerTo: 'removed',
    event: 'deal.cancelled',
  },
] as const satisfies Lifecycle;
