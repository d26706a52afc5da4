/** Routes of versions and copies. Every editor process answers them. */
import { type BoundRoute, bind } from '../../../infra/http/routing/route';
import { diffRoute } from './compare-versions';
import { type DuplicateDeps, duplicateRoute } from './duplicate';
import { openVersionRoute } from './open-version';

export const historyRoutes = (deps: DuplicateDeps): readonly BoundRoute[] => [
  bind(deps, openVersionRoute),
  bind(deps, diffRoute),
  bind(deps, duplicateRoute),
];
