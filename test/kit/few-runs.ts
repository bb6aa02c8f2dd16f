import * as fc from 'fast-check';

// each mutant meets thousands of properties: what survives so few runs of them counts as survived
fc.configureGlobal({ numRuns: 20, endOnFailure: true });
process.env['DEALWRIGHT_COMMANDS'] ??= '2000';
process.env['DEALWRIGHT_SEED'] ??= '1';
