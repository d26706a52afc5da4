/** Identity and scopes of the session. Pages hide actions without a scope. */
import { may, session } from './session';

export const isMe = (principalId: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && value.who.principalId === principalId;
};

/** Empty before the sign-in. */
export const ownPrincipal = (): string => {
  const { value } = session;
  return value.kind === 'in' || value.kind === 'ended' ? value.who.principalId : '';
};

/** Empty before the sign-in. */
export const ownTenant = (): string => {
  const { value } = session;
  return value.kind === 'in' || value.kind === 'ended' ? value.who.tenantId : '';
};

export const hasScope = (scope: string): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && may(value.who, scope);
};
