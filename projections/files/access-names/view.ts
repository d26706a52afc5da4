/** Names of folders and groups, and since when a folder is in the trash. Null: the key of the name is gone. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const AccessNameRow = record('AccessNameRow', {
  tenantId: TenantId,
  kind: oneOf('AccessNameKind', ['folder', 'group']),
  /** Of the folder or group. */
  id: text('NamedAccessId', { maxLength: 128, examples: ['f0a1b2c3'] }),
  /** As long as ciphertext of the longest name is. */
  name: nullable(text('SealedAccessName', { maxLength: 1_600 })),
  createdAt: Instant,
  trashedAt: nullable(Instant),
  revision: integer(0),
});
export type AccessNameRow = TypeOf<typeof AccessNameRow>;

export const accessNamesView: TableView<AccessNameRow> = table({
  name: 'files_access_names',
  version: 1,
  personal: true,
  sealed: { encrypted: ['name'], digests: [] },
  row: AccessNameRow,
  key: ['tenantId', 'kind', 'id'],
});
