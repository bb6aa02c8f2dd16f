import type { CategoryTree, Subcategory } from '../domain/deals/category.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';
import type { Authenticator } from './callers.js';
import type { FileScanner, FileStore } from './file-store.js';
import type { PaymentGateway } from './payment-gateway.js';
import type { PaymentTokenIssuer } from './payment-token-issuer.js';
import type { Clock, Digest, Ids, Sha256, Timer } from './runtime.js';
import type { Store } from './store.js';
import type { SecretKeeper, WebhookSender } from './webhooks.js';

/** The ports of the runtime. */
export interface SystemPorts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly sha256: Sha256;
}

/** All ports of a marketplace. */
export interface MarketplacePorts extends SystemPorts {
  readonly store: Store;
  readonly categories: CategoryCatalogue;
  readonly paymentTokens: PaymentTokenIssuer;
  /** The contents of work files. */
  readonly files: FileStore;
  /** Moves money; without it, the operator moves it by hand and reports it. */
  readonly payments?: PaymentGateway;
  /** Examines files; without it, none is refused. */
  readonly scanner?: FileScanner;
  /** Posts events to the webhooks of partners; without it and `secrets` there are no webhooks. */
  readonly webhooks?: WebhookSender;
  /** Keeps the signing secrets of webhooks. */
  readonly secrets?: SecretKeeper;
  /** That of the handler: `listTokens` is its `list`. */
  readonly authenticator?: Authenticator | 'host';
}

/** The source of the category tree. */
export interface CategoryCatalogue {
  tree(tenant: Tenant): Answer<CategoryTree>;
  subcategory(tenant: Tenant, id: number): Answer<Subcategory | undefined>;
}
