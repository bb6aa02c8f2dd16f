/** `deleted` is shown to nobody. */
export type WebhookStatus = 'enabled' | 'disabled' | 'deleted';

/** Why nothing is sent any more: the receiver said so (410), or no attempt got through for five days. */
export type DisabledReason = 'gone' | 'failing';

/** A ULID that one relay has made for itself. */
export type ConsumerLease = string;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
