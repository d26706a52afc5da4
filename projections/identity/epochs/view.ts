/** Epoch and status of every principal, and a feed of their changes: how gateways hear that tokens are dead. */
import type { TypeOf } from 'io-ts';
import { SecurityEpoch } from '../../../domain/identity/principal/events';
import { PrincipalId } from '../../../domain/identity/principal-id';
import { integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { KeysView } from '../../kernel/view';
import { PrincipalStatus } from '../principals/view';

export const EpochRow = record('EpochRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  securityEpoch: SecurityEpoch,
  status: PrincipalStatus,
  revision: integer(0),
});
export type EpochRow = TypeOf<typeof EpochRow>;

export const epochsView: KeysView<EpochRow> = {
  store: 'redis',
  name: 'identity_epochs',
  version: 1,
  row: EpochRow,
  key: ['tenantId', 'principalId'],
  // Longer than any access token lives, so that a gateway that starts hears of every epoch that still matters.
  feedMilliseconds: 3_600_000,
};
