/** The bundle of these sources, built if there is none: its directory. */
export const ensureBundle: (options?: { readonly onBuild?: () => void }) => string;
