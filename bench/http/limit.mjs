/** How many deals a contender stores before it starts over with none. */
export const limit = 200_000;
