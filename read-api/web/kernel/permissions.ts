/** Identity and scopes of the session. Pages hide actions without a scope. */
import { may, session } from './session';

export const isMe = (principalId: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && value.who.principalId === principalId;
};

export const hasScope = (scope: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && may(value.who, scope);
};

/** Of the reader; empty without a session. */
export const ownTenant = (): string => {
  const { value } = session;
  return value.kind === 'in' || value.kind === 'ended' ? value.who.tenantId : '';
};
