/** How many deals a contender keeps before it starts over with none. */
export const limit = 200_000;
