/** Why the log could not be read, for those who look at a view's state. */

const vaultCodes = 'vault-unavailable';

/** Messages of others may name hosts; what the vault says is made to be shown. */
export const outageReason = (error: unknown): string =>
  error instanceof Error && (error as { readonly code?: unknown }).code === vaultCodes
    ? error.message
    : 'The log cannot be read right now.';
