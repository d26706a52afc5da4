/** Everything this context answers on the write side. */
import { type BoundRoute, bind } from '../../infra/http/route';
import { type ForgetDeps, forgetRoute } from './forget';

export const privacyRoutes = (deps: ForgetDeps): readonly BoundRoute[] => [bind(deps, forgetRoute)];
