/** Every aggregate whose events can be made state again. */
import { contextModules } from '../../infra/context-modules';
import type { Audited } from '../kernel/audited';

/** The only place beside deciders where events become state. */
export const aggregates = contextModules<readonly Audited[]>('projections', 'aggregates').flat();
