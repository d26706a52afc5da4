/** `localhost` has two addresses, and clients differ in which they try first, so a listener binds both. */

const loopback = ['127.0.0.1', '::1'] as const;

export const addressesOf = (host: string): readonly [string, ...string[]] => (host === 'localhost' ? loopback : [host]);

/** What listening answers where a machine has no such address, as without version 6 of the protocol. */
export const isMissingAddress = (code: string | undefined): boolean =>
  code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
