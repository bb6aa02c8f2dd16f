import * as fc from 'fast-check';

// each mutant meets thousands of properties: what survives so few runs of them counts as survived
fc.configureGlobal({ numRuns: 20 });
