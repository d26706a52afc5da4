/** The views of all contexts. */
import { contextModules } from '../../infra/context-modules';
import type { Projection } from '../kernel/projection';

export const projections = contextModules<readonly Projection[]>('projections', 'context').flat();
