/** Which scopes the reader can give. */
import { hasScope } from '../../kernel/permissions';
import type { KnownScope } from '../wire';

/** Those of registered APIs are given by `apis:write`. */
export const isGrantable = ({ name, isPersonal, audience }: KnownScope): boolean =>
  !isPersonal && (hasScope(name) || (audience !== null && hasScope('apis:write')));
