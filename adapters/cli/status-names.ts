import type { DealStatus, FreelancerStatus } from 'dealwright';

const dealStatuses = {
  created: true,
  accepted: true,
  delivered: true,
  changes_requested: true,
  approved: true,
  completed: true,
  disputed: true,
  cancelled: true,
  expired: true,
} satisfies Record<DealStatus, true>;

const freelancerStatuses = {
  new: true,
  invited: true,
  accepted: true,
  declined: true,
  expired: true,
  removed: true,
  finished: true,
} satisfies Record<FreelancerStatus, true>;

/** The statuses of a deal that a list can be narrowed to. */
export const dealStatusNames: readonly string[] = Object.keys(dealStatuses);

/** The statuses of a freelancer that a list can be narrowed to. */
export const freelancerStatusNames: readonly string[] = Object.keys(freelancerStatuses);
