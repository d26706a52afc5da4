/** What all commands of one containment share. */
import type { IncidentId } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';

export interface ContainmentOrder {
  readonly tenantId: TenantId;
  readonly incidentId: IncidentId;
  readonly requestId: string;
  readonly actor: string;
  readonly reason: string;
  /** The same in every repetition, so that each command has one effect. */
  readonly commandId: (stream: string) => string;
}
