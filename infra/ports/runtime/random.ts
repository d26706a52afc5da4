export interface Random {
  /** A random UUID (version 4). */
  readonly uuid: () => string;
  /** That many random bytes from the system's generator, base64url. */
  readonly token: (bytes: number) => string;
}
