/** The middle value of a list. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median of the ratios of each round. A machine that is slow in one round is slow for both
 * sides of its ratio, which the ratio of two medians would not show.
 */
export function medianRatio(above, below) {
  return median(above.map((value, round) => value / below[round]));
}

/** How far apart the middle half of the values lies, as a share of the median. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return (at(0.75) - at(0.25)) / median(values);
}
