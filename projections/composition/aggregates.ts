/** Every aggregate whose events can be made state again. The only place beside deciders where events become state. */
import { aggregates as declared } from '../../domain/aggregates';
import { auditedAggregate } from '../kernel/audited-aggregate';

export const aggregates = declared.map(auditedAggregate);
