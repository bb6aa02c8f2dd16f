export { exampleContractor, exampleDeal, exampleDealV2 } from './examples.js';
export {
  actsLate,
  answers,
  answersLate,
  delayed,
  faults,
  type MethodPath,
  type PortFault,
  withFault,
} from './faults.js';
export { createManualClock, type ManualClock } from './manual-clock.js';
