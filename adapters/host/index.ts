export { createDealwright, type Dealwright, type DealwrightOptions } from './create-dealwright.js';
export type { WorkFailure } from './repeat.js';
export type { SweepReport } from './sweep.js';
