/** It failed: nothing can be reached, an answer is odd, a file broke off, a service cut requests off. */
export const failedExit = 1;
/** The command line, a setting or a file that was given is wrong: nothing was tried. */
export const usageExit = 2;
/** The service understood and said no: a rule is broken, somebody was first, there is no such deal. */
export const refusedExit = 3;
/** The service does not know the token. */
export const unauthorizedExit = 4;
/** Added to the number of the signal that ended it, as shells do. */
export const signalExit = 128;
