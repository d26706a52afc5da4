/** Routes of places on the write side. */
import { type BoundRoute, bind } from '../../infra/http/routing/route';
import type { CommandDeps } from '../kernel/command-route';
import { applyChangesRoute } from './changes/batch';

export const geoRoutes = (deps: CommandDeps): readonly BoundRoute[] => [bind(deps, applyChangesRoute)];
