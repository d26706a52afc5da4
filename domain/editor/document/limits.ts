/** Bounds of what is said of one document: its stream is read whole. */
export const documentLimits = {
  members: 1_000,
  /** Who came by the link. */
  visitors: 1_000,
  /** Neither answered nor over. */
  invitations: 200,
  namedVersions: 1_000,
} as const;
