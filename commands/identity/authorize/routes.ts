/** What asks people for their authorization, in pages and for programs. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import { type DeviceDeps, deviceAuthorizationRoute } from '../device/authorize-device';
import { type DevicePageDeps, devicePageRoute, deviceRoute } from '../device/device';
import { type ApplicationsDeps, applicationsPageRoute, takeBackRoute } from './applications';
import { type AuthorizeDeps, authorizeByFormRoute, authorizeRoute } from './authorize';
import { consentPageRoute, consentRoute } from './consent';
import { type ParDeps, parRoute } from './par';

export type AuthorizationDeps = AuthorizeDeps & ParDeps & DeviceDeps & DevicePageDeps & ApplicationsDeps;

export const authorizationRoutes = (deps: AuthorizationDeps): readonly BoundRoute[] => [
  bind(deps, authorizeRoute),
  bind(deps, authorizeByFormRoute),
  bind(deps, consentPageRoute),
  bind(deps, consentRoute),
  bind(deps, parRoute),
  bind(deps, deviceAuthorizationRoute),
  bind(deps, devicePageRoute),
  bind(deps, deviceRoute),
  bind(deps, applicationsPageRoute),
  bind(deps, takeBackRoute),
];
