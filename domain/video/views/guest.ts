/** Viewers who are not signed in. Each browser is one, as far as it brings an earlier proof. */

/** No principal's id has a tilde. */
const prefix = 'guest~';

export const guestId = (uuid: string): string => `${prefix}${uuid}`;

export const isGuest = (viewerId: string): boolean => viewerId.startsWith(prefix);
