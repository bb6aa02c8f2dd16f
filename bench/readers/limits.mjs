/** The rates of `dealwright serve` (decision 5.12). */
export const rates = {
  perSecond: 1_000,
  burst: 5_000,
  offers: { perSecond: 20, burst: 200 },
  failedTokens: { perSecond: 10, burst: 100 },
};

/** The rate of a caller. */
export const rateOf = (who) => (who === 'offer' ? rates.offers : rates).perSecond;

export const tokens = {
  partner: 'token-of-the-reader',
  operator: 'token-of-an-operator',
  victim: 'token-of-another-partner',
};
