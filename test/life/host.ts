import { type Guard, type Lifecycle, lifecycle } from 'dealwright/life';

/** A guard of the host's own: it says no with one of the reasons that there are. */
export const nothingDelivered: Guard = {
  reason: 'work_delivered',
  says: 'nothing was delivered yet',
  holds: ({ state }) => state.stage.every(({ status }) => status === 'pending'),
};

/** A host whose operator may put an accepted deal aside: rows of its own after ours. */
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
