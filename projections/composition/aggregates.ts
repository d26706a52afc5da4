/** Every aggregate whose events can be made state again. */
import { contextModules } from '../../infra/context-modules';
import type { AuditedAggregate } from '../kernel/audited-aggregate';

/** The only place beside deciders where events become state. */
export const aggregates = contextModules<readonly AuditedAggregate[]>('projections', 'aggregates').flat();
