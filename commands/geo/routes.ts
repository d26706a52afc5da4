/** Routes of places on the write side. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { applyChangesRoute } from './changes/batch';
import { handOverPlacesRoute } from './changes/handover';
import { cancelImport, createImport, type ImportRoutesDeps, startImport } from './imports/import-routes';
import { resumeImportUpload, signImportFile, signImportPart } from './imports/upload/upload-routes';
import { setSourceWriters } from './sources/writers-route';

export const geoRoutes = (deps: ImportRoutesDeps): readonly BoundRoute[] => [
  bind(deps, applyChangesRoute),
  bind(deps, handOverPlacesRoute),
  bind(deps, setSourceWriters),
  bind(deps, createImport),
  bind(deps, resumeImportUpload),
  bind(deps, signImportPart),
  bind(deps, signImportFile),
  bind(deps, startImport),
  bind(deps, cancelImport),
];
