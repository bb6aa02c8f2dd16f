/** Begins a SHA-256 of bytes that come piece by piece. */
export type Sha256 = () => RunningSha256;

/** A SHA-256 that has begun. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  /** 64 hexadecimal digits in lower case; called once, at the end. */
  hex(): string;
}
