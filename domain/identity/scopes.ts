/** What a token may do: `<things>:<act>`. Other contexts name their own by the same pattern. */
import * as t from 'io-ts';
import { brandedText } from '../kernel/codec';

export const Scope = brandedText('Scope', { maxLength: 64, pattern: '[a-z]+:[a-z]+', examples: ['principals:read'] });
export type Scope = t.TypeOf<typeof Scope>;

export const Scopes = t.array(Scope, 'Scopes');

/** The closed list of those that exist, all of which the first admin holds. */
export const adminScopes = [
  'principals:read',
  'principals:write',
  'credentials:write',
  'security:read',
  'privacy:write',
  'platform:read',
  'platform:write',
].filter(Scope.is);

/** Sorted, each once: the same grant always reads the same. */
export const distinct = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

export const missing = (wanted: readonly string[], held: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !held.includes(scope));
