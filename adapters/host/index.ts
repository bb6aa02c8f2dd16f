export { createDealwright, type Dealwright, type DealwrightOptions } from './create-dealwright.js';
export type { SweepReport } from './sweep.js';
export type { WorkFailure } from './work-failure.js';
