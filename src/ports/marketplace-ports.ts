import type { CategoryCatalogue } from './category-catalogue.js';
import type { Clock } from './clock.js';
import type { Digest } from './digest.js';
import type { FileScanner } from './file-scanner.js';
import type { FileStore } from './file-store.js';
import type { Ids } from './ids.js';
import type { PaymentGateway } from './payment-gateway.js';
import type { PaymentTokenIssuer } from './payment-token-issuer.js';
import type { SecretKeeper } from './secret-keeper.js';
import type { Sha256 } from './sha256.js';
import type { Store } from './store.js';
import type { Timer } from './timer.js';
import type { WebhookSender } from './webhook-sender.js';

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
}
