import { storeArchiveGroups } from './archive/index.js';
import { deliveryGroups } from './deliveries/index.js';
import { fileStoreGroups } from './files/index.js';
import type { LawGroup } from './laws.js';
import { partnerGroups } from './partner-api/index.js';
import { paymentTokenIssuerGroups } from './payment-tokens/index.js';
import { storeGroups } from './store/index.js';
import { wireGroups } from './wire/index.js';

/** The groups of laws of each contract, by what it judges. */
export const suites: Readonly<Record<string, readonly LawGroup<never>[]>> = {
  'a server, over the wire': wireGroups,
  'a server or `PartnerApi`, by the typed client': partnerGroups,
  'a store': storeGroups,
  'relays over a store': deliveryGroups,
  'a store of files': fileStoreGroups,
  'an archive': storeArchiveGroups,
  'an issuer of payment tokens': paymentTokenIssuerGroups,
};

/** The decisions that no law can judge from outside, and why. */
export const unjudged: Readonly<Record<string, string>> = {
  '5.3': 'How tokens are kept, and how long one is cached, does not show in answers.',
  '5.6': 'Which environments a handler serves is an option of the host.',
  '5.8': 'Hooks are functions within the process of the host.',
  '5.9': 'The users of a host are known to the host alone.',
  '5.10': 'A client over `fetch` cannot break off a body, or read one twice.',
  '5.12': 'How much may come is an option of the host.',
  '10.2': 'What a payment gateway answers does not show to clients.',
  '7.5': 'It is about the library of a receiver, not about a server.',
};
