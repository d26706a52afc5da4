/** What is asked in a browser's place. */
/** On whose behalf is asked. */
export interface Asking {
  readonly requestId: string;
  /** Where the browser is, for the record of what was issued. */
  readonly address: string;
  /** What of the browser's cookies is for people's own pages. */
  readonly cookie?: string | undefined;
}

export interface Token {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}
