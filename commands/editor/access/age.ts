/**
 * Owners go by what they read of a document's roles for so long, and whoever takes a right away is answered after it: what is sent after
 * that answer is refused. By monotonic clocks of either, which need not agree on the time.
 */
export const rightsMilliseconds = 100;

/** Timers end up to a millisecond early, and no two clocks run alike. */
export const takenAwayMilliseconds = rightsMilliseconds + 10;
