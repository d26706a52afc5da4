/** Whose sessions and grants a token reaches: an application looks after a person's account only where that person let it. */
import type { Identity } from '../../../infra/http/route';

export const reachesOf = ({ scopes }: Identity, all: string): 'everybody' | 'oneself' | 'nobody' => {
  if (scopes.includes(all)) return 'everybody';
  return scopes.includes('account:write') ? 'oneself' : 'nobody';
};
