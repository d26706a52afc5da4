/** What this folder answers. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import {
  changeClientRoute,
  disableClientRoute,
  enableClientRoute,
  type RegistryDeps,
  registerClientRoute,
} from './clients';
import { type ClientSecretDeps, issueClientSecretRoute, revokeClientSecretRoute } from './secrets';

export type ClientsDeps = RegistryDeps & ClientSecretDeps;

export const clientRoutes = (deps: ClientsDeps): readonly BoundRoute[] => [
  bind(deps, registerClientRoute),
  bind(deps, changeClientRoute),
  bind(deps, disableClientRoute),
  bind(deps, enableClientRoute),
  bind(deps, issueClientSecretRoute),
  bind(deps, revokeClientSecretRoute),
];
