/** Privacy's manifest: personal fields, and forgetting them. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'privacy',
  scopes: [{ name: 'privacy:write', description: 'Erase the personal data of a person permanently' }],
  tags: [{ name: 'privacy', description: 'What is personal, and forgetting it.', paths: /^\/v1\/privacy\// }],
  limitGroups: [],
  destinations: [],
  services: [],
};
