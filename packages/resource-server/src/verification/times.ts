/** How far clocks may be apart, and how long what was signed may count. */
export const skewSeconds = 10;
/** No token lives longer: revocations are remembered for that long. */
export const longestTokenSeconds = 3_600;
/** Of proofs, however far clocks are apart. */
export const longestProofSeconds = 60;
