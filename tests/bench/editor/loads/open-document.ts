/** A client that opens a document and waits until it is complete: the time and the bytes received. */
import { isLeft } from 'fp-ts/Either';
import type { DocumentId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { apply } from '../../../../domain/editor/reducer/apply';
import { countNodes, emptyScene } from '../../../../domain/editor/scene/scene';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { pieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import { openDocumentSocket } from '../contestants/septet';

export interface Joined {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly nodes: number;
  readonly version: number;
}

interface Reading {
  readonly blobs: BlobStore;
  readonly documentId: DocumentId;
  /** What is known already. */
  readonly known: number;
}

type SnapshotMessage = ServerMessage<'snapshot'>;

/** The bytes behind URLs are read where they lie: the way there is another part's. */
const scenery = ({ blobs }: Reading) => {
  const stored = pieceBlobs(blobs);
  const count = { bytes: 0 };
  const scene = emptyScene();
  const load = async (message: SnapshotMessage): Promise<void> => {
    const keys = new Map(message.pieces?.map(({ key, url }) => [url ?? '', key]));
    const fetched = async (url: string): Promise<Uint8Array> => {
      const bytes = await stored.get(keys.get(url) ?? '');
      if (isLeft(bytes)) throw new Error(bytes.left.detail);
      count.bytes += bytes.right.length;
      return bytes.right;
    };
    await snapshotLoader(fetched)(message, scene, new AbortController().signal);
  };
  return { count, scene, load };
};

export const read = async (port: number, reading: Reading): Promise<Joined> => {
  const { documentId, known } = reading;
  const { count, scene, load } = scenery(reading);
  const began = performance.now();
  const socket = await openDocumentSocket(port, documentId);
  const state = { version: known, wanted: -1 };
  const applied = (operations: readonly Operation[], fromVersion: number): void => {
    for (const [index, operation] of operations.entries()) apply(scene, operation, fromVersion + index);
    state.version = fromVersion + operations.length - 1;
  };
  const receive = async (message: ServerMessage): Promise<void> => {
    if (message.type === 'joined') state.wanted = message.committedVersion;
    if (message.type === 'error') throw new Error(message.detail);
    if (message.type === 'operations') applied(message.operations, message.fromVersion);
    if (message.type !== 'snapshot') return;
    await load(message);
    state.version = message.snapshot.version;
  };
  await new Promise<void>((resolve, reject) => {
    let before = Promise.resolve();
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (bytes: Buffer) => {
      count.bytes += bytes.length;
      before = before.then(() => receive(JSON.parse(bytes.toString()) as ServerMessage));
      before.then(() => (state.wanted === state.version ? resolve() : undefined), reject);
    });
    const join = { type: 'join', documentId, lastCommittedVersion: known, capabilities: ['schema:2'] };
    socket.send(JSON.stringify(join));
  });
  socket.removeAllListeners('close').terminate();
  const milliseconds = performance.now() - began;
  return { milliseconds, bytes: count.bytes, nodes: countNodes(scene), version: state.version };
};
