/** What operators answer for: beside the routes of identity, because these need the keys themselves. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import { type AdministerDeps, retireKeyRoute, revokeKeyRoute, rotateKeysRoute } from './administer';

export const signingKeyRoutes = (deps: AdministerDeps): readonly BoundRoute[] => [
  bind(deps, rotateKeysRoute),
  bind(deps, revokeKeyRoute),
  bind(deps, retireKeyRoute),
];
