/**
 * A process that keeps opening large documents: each document of its share for the first time, and once more when it is
 * there.
 */
import type { DocumentId } from '../../../../domain/editor/ids';
import { blobsIn } from '../documents/stores';
import { read } from './open-document';
import type { Opened, Storming } from './storm';

const send = (opened: Opened): void => void process.send?.(opened);

/** Opens the documents that exist by then, over and over. */
const openAll = async ({ port, blobsDirectory, documentIds }: Storming): Promise<void> => {
  const blobs = blobsIn(blobsDirectory);
  const open = async (documentId: DocumentId, kind: Opened['kind']): Promise<void> => {
    const { milliseconds, nodes, bytes } = await read(port, { blobs, documentId, known: 0 });
    send({ kind, milliseconds, nodes, bytes });
  };
  for (const documentId of documentIds) {
    await open(documentId, 'cold');
    await open(documentId, 'warm');
  }
  for (let index = 0; ; index += 1) await open(documentIds[index % documentIds.length] as DocumentId, 'warm');
};

void openAll(JSON.parse(process.argv[2] ?? '') as Storming);
