/** Names of files. Null: the file's key is gone. */
import type { TypeOf } from 'io-ts';
import { FileId } from '../../../domain/files/ids';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const FileNameRow = record('FileNameRow', {
  tenantId: TenantId,
  fileId: FileId,
  /** As long as ciphertext of the longest name is. */
  name: nullable(text('SealedFileName', { maxLength: 1_600 })),
  revision: integer(0),
});
export type FileNameRow = TypeOf<typeof FileNameRow>;

export const fileNamesView: TableView<FileNameRow> = table({
  name: 'files_names',
  version: 1,
  personal: true,
  sealed: { encrypted: ['name'], digests: [] },
  row: FileNameRow,
  key: ['tenantId', 'fileId'],
});
