/** Why the log could not be read, for those who look at a view's state. */

const ofTheVault = 'vault-unavailable';

/** Messages of others may name hosts; what the vault says is made to be shown. */
export const troubleOf = (error: unknown): string =>
  error instanceof Error && (error as { readonly code?: unknown }).code === ofTheVault
    ? error.message
    : 'The log cannot be read right now.';
