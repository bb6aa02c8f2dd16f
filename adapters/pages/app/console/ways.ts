/** The states of a deal, and those that can follow: a test compares them with the life cycle. */
export const ways: Readonly<Record<string, readonly string[]>> = {
  created: ['accepted', 'delivered', 'cancelled', 'expired'],
  accepted: ['delivered', 'changes_requested', 'approved', 'disputed', 'completed', 'cancelled'],
  delivered: ['accepted', 'changes_requested', 'approved', 'disputed', 'completed', 'cancelled'],
  approved: ['accepted', 'disputed', 'completed', 'cancelled'],
  completed: [],
  changes_requested: [
    ...['accepted', 'delivered', 'approved', 'disputed', 'completed', 'cancelled'],
  ],
  disputed: ['approved', 'completed', 'cancelled'],
  cancelled: [],
  expired: [],
};
