/** A copy that nobody has built on for so long is dropped: whoever wanted it does not come back for it. */
export const abandonedMilliseconds = 60 * 60_000;
