// The doors that a host without Node and without a DOM uses, types and all.
export { createMarketplace, type PartnerApi } from 'dealwright';
export { createTokenAuthenticator } from 'dealwright/auth';
export { createCategoryCatalogue } from 'dealwright/categories';
export { createClient } from 'dealwright/client';
export { createMemoryStore } from 'dealwright/memory';
export type { MarketplacePorts } from 'dealwright/ports';
export { strictProfile } from 'dealwright/strict';
export { createSystemPorts } from 'dealwright/system';
