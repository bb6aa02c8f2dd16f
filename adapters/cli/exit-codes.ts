/**
 * A failure: the service is out of reach, an answer is unexpected, a file ended early, requests
 * were cut.
 */
export const failedExit = 1;
/** The command line, a setting or an input file is wrong: nothing was tried. */
export const usageExit = 2;
/** The service refused: a rule is broken, the name is already used, there is no such deal. */
export const refusedExit = 3;
/** The service refuses the token. */
export const unauthorizedExit = 4;
/** Added to the number of the signal that ended it, as shells do. */
export const signalExit = 128;
