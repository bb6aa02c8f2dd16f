import * as fc from 'fast-check';

// each mutant meets thousands of properties: one that survives so few runs counts as surviving
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20, endOnFailure: true });
process.env['DEALWRIGHT_COMMANDS'] ??= '2000';
