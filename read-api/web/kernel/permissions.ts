/** Who is signed in, and whether they may do something: what they may not is not offered. */
import { may, session } from './session';

export const isMe = (principalId: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && value.who.principalId === principalId;
};

export const hasScope = (scope: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && may(value.who, scope);
};
