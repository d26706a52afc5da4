/** An unfinished generation without progress for this long is dropped. */
export const abandonedMilliseconds = 60 * 60_000;
