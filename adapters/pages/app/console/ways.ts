import type { DealStatus } from 'dealwright';

/** The states of a deal, and those that can follow: a test compares them with the life cycle. */
export const ways: Readonly<Record<DealStatus, readonly DealStatus[]>> = {
  created: ['accepted', 'delivered', 'cancelled', 'expired'],
  accepted: ['delivered', 'changes_requested', 'approved', 'disputed', 'completed', 'cancelled'],
  delivered: ['accepted', 'changes_requested', 'approved', 'disputed', 'completed', 'cancelled'],
  approved: ['accepted', 'disputed', 'completed', 'cancelled'],
  completed: [],
  changes_requested: [
    ...(['accepted', 'delivered', 'approved', 'disputed', 'completed', 'cancelled'] as const),
  ],
  disputed: ['approved', 'completed', 'cancelled'],
  cancelled: [],
  expired: [],
};
