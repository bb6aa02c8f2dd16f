/** Whose the deals of the examples are, and what they are called. */
export const acme = { environment: 'sandbox', partner: 'acme' } as const;
export const paymentToken = 'Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG';
export const [first, second] = ['unique-ID-of-deal', 'unique-ID-of-deal-2'];
