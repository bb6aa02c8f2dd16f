/** The state of a deal (interface, StatusEnum; decision 6). */
export type DealStatus =
  | 'created'
  | 'accepted'
  | 'delivered'
  | 'changes_requested'
  | 'approved'
  | 'completed'
  | 'disputed'
  | 'cancelled'
  | 'expired';

/** The state of the freelancer with respect to a deal (interface, FreelancerStatusEnum; decision 6). */
export type FreelancerStatus =
  | 'new'
  | 'invited'
  | 'accepted'
  | 'declined'
  | 'expired'
  | 'removed'
  | 'finished';

/** What every deal is when it is created (interface, States and transitions). */
export const initialStatuses = { status: 'created', freelancer_status: 'new' } as const;

/** Every status of a deal there is. */
export const dealStatuses: Readonly<Record<DealStatus, true>> = {
  created: true,
  accepted: true,
  delivered: true,
  changes_requested: true,
  approved: true,
  completed: true,
  disputed: true,
  cancelled: true,
  expired: true,
};

/** Every status of a freelancer there is. */
export const freelancerStatuses: Readonly<Record<FreelancerStatus, true>> = {
  new: true,
  invited: true,
  accepted: true,
  declined: true,
  expired: true,
  removed: true,
  finished: true,
};

/** The states that no deal leaves. */
const finalStatuses: readonly string[] = [
  'completed',
  'cancelled',
  'expired',
] satisfies DealStatus[];

/** Says whether a deal in this state has ended. */
export const isFinal = (status: string): boolean => finalStatuses.includes(status);
