/** Routes of places on the write side. */
import { type BoundRoute, bind } from '../../infra/http/routing/route';
import { applyChangesRoute } from './changes/batch';
import {
  cancelImport,
  createImport,
  type ImportRoutesDeps,
  signImportFile,
  startImport,
} from './imports/import-routes';

export const geoRoutes = (deps: ImportRoutesDeps): readonly BoundRoute[] => [
  bind(deps, applyChangesRoute),
  bind(deps, createImport),
  bind(deps, signImportFile),
  bind(deps, startImport),
  bind(deps, cancelImport),
];
