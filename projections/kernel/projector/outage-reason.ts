/** Why the log cannot be read, as text for the view's status. */

const vaultCodes = 'vault-unavailable';

/** Other messages may contain host names; those of the vault are safe to publish. */
export const outageReason = (error: unknown): string =>
  error instanceof Error && (error as { readonly code?: unknown }).code === vaultCodes
    ? error.message
    : 'The log cannot be read right now.';
