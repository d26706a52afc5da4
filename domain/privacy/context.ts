/** Privacy's manifest: personal fields, and forgetting them. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'privacy',
  scopes: [{ name: 'privacy:write', description: 'Erase the personal data of a person permanently' }],
  tags: [{ name: 'privacy', description: 'Erasure of personal data.', paths: /^\/v1\/privacy\// }],
  limitGroups: [],
  destinations: [],
  services: [],
};
