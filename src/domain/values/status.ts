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

/** The states of every new deal (interface, States and transitions). */
export const initialStatuses = { status: 'created', freelancer_status: 'new' } as const;

/** Every status of a deal. */
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

/** Every status of a freelancer. */
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

/** The state of a stage (decision 6). */
export type StageStatus =
  | 'pending'
  | 'submitted'
  | 'changes_requested'
  | 'approved'
  | 'paid'
  | 'cancelled';

/** The state of a work file: `accepted` with its stage, `superseded` once its stage was sent back (decision 6.4). */
export type WorkFileStatus = 'stored' | 'accepted' | 'superseded';

/** The state of a webhook; a `deleted` one is never shown. */
export type WebhookStatus = 'enabled' | 'disabled' | 'deleted';

/** Why a webhook was disabled: the receiver answered 410, or no attempt succeeded for five days. */
export type DisabledReason = 'gone' | 'failing';

/** The state of a delivery to a webhook: a `failed` one is not tried again. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
