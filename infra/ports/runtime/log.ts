type Fields = { readonly [field: string]: unknown };

/** Structured logs: the message is a fixed string, everything that varies is a field. */
export interface Log {
  readonly debug: (fields: Fields, message: string) => void;
  readonly info: (fields: Fields, message: string) => void;
  readonly warn: (fields: Fields, message: string) => void;
  readonly error: (fields: Fields, message: string) => void;
  /** What an audit needs: a line at every LOG_LEVEL. */
  readonly audit: (fields: Fields, message: string) => void;
}
