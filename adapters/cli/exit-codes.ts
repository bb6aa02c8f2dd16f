/** The service could not listen, or had to cut off requests when it was told to stop. */
export const failedExit = 1;
/** The command line or a setting is wrong: nothing was tried. */
export const usageExit = 2;
