/** Each principal is a client under its own id, which adds nothing where both would be named. */

interface Caller {
  readonly principalId: string | null;
  readonly clientId: string | null;
}

export const isOwnClient = ({ principalId, clientId }: Caller): boolean =>
  principalId !== null && clientId?.endsWith(`.${principalId}`) === true;
