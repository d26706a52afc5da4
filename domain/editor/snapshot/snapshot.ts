/** The specification's `Snapshot`. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { DocumentId } from '../ids';

const Sha256 = text('Sha256', {
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  minLength: 64,
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
});

export const Snapshot = record('Snapshot', {
  documentId: DocumentId,
  version: integer(0),
  schemaVersion: integer(1),
  /** Key of the manifest. */
  compressedSceneKey: text('CompressedSceneKey', { examples: ['documents/main/9b2e/manifest'], maxLength: 512 }),
  /** SHA-256 of the manifest, which contains the checksums of all pieces. */
  checksum: Sha256,
  assetRefs: t.array(text('AssetRef', { examples: ['images/logo.png'], maxLength: 512 }), 'AssetRefs'),
});
export type Snapshot = t.TypeOf<typeof Snapshot>;
