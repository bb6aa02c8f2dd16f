/**
 * A one-way function of text to text: SHA-256 in any notation. Fingerprints are made with it, so
 * that an idempotency record contains no bank account. It must stay the same as long as records
 * live.
 */
export type Digest = (text: string) => string;
