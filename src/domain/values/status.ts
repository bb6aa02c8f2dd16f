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

/** The state of a webhook; a `deleted` one is shown to nobody. */
export type WebhookStatus = 'enabled' | 'disabled' | 'deleted';

/** Why nothing is sent any more: the receiver said so (410), or no attempt succeeded for five days. */
export type DisabledReason = 'gone' | 'failing';

/** What has become of an event on its way to a webhook: `failed` is tried no more. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
