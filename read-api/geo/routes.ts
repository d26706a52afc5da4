/** Routes of places in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { QueryDeps } from '../kernel/row-queries';
import { getEntity } from './entity';
import { getImport, listImportRefusals, listImports } from './imports';

export const geoRoutes = (reading: QueryDeps): readonly BoundRoute[] => [
  bind(reading, getEntity),
  bind(reading, listImports),
  bind(reading, getImport),
  bind(reading, listImportRefusals),
];
