/** The only source of identifiers. */
export interface Ids {
  /** A ULID, later in order than those before it. */
  next(): string;
}
