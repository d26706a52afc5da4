/** Descriptions of scopes for consent pages; the page lists unknown scopes by name. */
import { contexts } from '../../../domain/contexts';

const descriptions = new Map([
  ['openid', 'Know who you are'],
  ['profile', 'Know your name'],
  ['email', 'Know your e-mail address'],
  ['offline_access', 'Stay connected while you are away, until you take it back'],
  ['account:read', 'See where you are signed in, and what you have allowed applications'],
  ['account:write', 'Sign you out, and take back what you have allowed applications'],
  ...contexts.flatMap(({ scopes }) => scopes.map(({ name, description }) => [name, description] as const)),
]);

export const describeScope = (scope: string): string => descriptions.get(scope) ?? scope;
