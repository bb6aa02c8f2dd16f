/** Starts a SHA-256 of bytes that come piece by piece. */
export type Sha256 = () => RunningSha256;

/** A SHA-256 in progress. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  /** 64 hexadecimal digits in lower case; called once, at the end. */
  hex(): string;
}
