/** The `Position` header: how far into the log an answer has come. Callers send it back as `Min-Position`. */
export const positionHeader = (position: bigint | null): Readonly<Record<string, string>> =>
  position === null ? {} : { Position: String(position) };
