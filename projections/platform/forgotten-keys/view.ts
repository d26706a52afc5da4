/** Keys that were erased because a person was forgotten. Distinguishes sealed fields from fields that can no longer be opened. */
import * as t from 'io-ts';
import { integer, record } from '../../../domain/kernel/codec';
import { type TableView, table } from '../../kernel/view';

export const ForgottenKeyRow = record('ForgottenKeyRow', {
  tenantId: t.string,
  keyId: t.string,
  revision: integer(0),
});
export type ForgottenKeyRow = t.TypeOf<typeof ForgottenKeyRow>;

export const forgottenKeysView: TableView<ForgottenKeyRow> = table({
  name: 'platform_forgotten_keys',
  version: 1,
  row: ForgottenKeyRow,
  operators: true,
  key: ['tenantId', 'keyId'],
});
