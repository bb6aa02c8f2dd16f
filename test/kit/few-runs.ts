import * as fc from 'fast-check';

// each mutant meets thousands of properties: what survives so few runs of them counts as survived
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20, endOnFailure: true });
process.env['DEALWRIGHT_COMMANDS'] ??= '2000';
