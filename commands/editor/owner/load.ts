/** A document from its newest snapshot and what came after it; one that cannot be read whole is not served at all. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { clientsOf, noteCommitted } from '../../../domain/editor/log/clients';
import type { LogEvent } from '../../../domain/editor/log/events';
import { emptyScene } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { fault } from '../../../domain/kernel/rejection';
import { breathing } from './breath';
import { type Content, emptyContent } from './content';
import type { OwnerDeps } from './deps';
import { readBack } from './history-back';
import { putBack } from './put-back';
import { applyCommitted } from './replay';
import type { Frame } from './told';
import type { Unavailable } from './types';

export interface LoadedDocument {
  readonly content: Content;
  /** Everything after the snapshot. */
  readonly frames: readonly Frame[];
}

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

/** Fills the content from a snapshot; false when that one is damaged, and an earlier one is to be looked for. */
const fromSnapshot = (deps: OwnerDeps, place: DocumentKey, content: Content) => async (snapshot: Snapshot) => {
  const scene = emptyScene();
  const loaded = await deps.snapshots.load(place, snapshot, scene);
  if (isLeft(loaded)) {
    if (loaded.left.code !== 'snapshot-damaged') return unavailable('A snapshot cannot be read right now.');
    deps.log.error({ ...place, key: snapshot.compressedSceneKey }, 'a snapshot is damaged, an earlier one is sought');
    return right(false);
  }
  Object.assign(content, { scene, clients: clientsOf(loaded.right), version: snapshot.version, snapshot });
  return right(true);
};

type Batch = Extract<LogEvent, { type: 'OperationsCommitted' }>['data'];

const isWhole = ({ fromVersion, toVersion, operations }: Batch, content: Content): boolean =>
  fromVersion <= content.version + 1 && operations.length === toVersion - fromVersion + 1;

const replayed = async (
  deps: OwnerDeps,
  place: DocumentKey,
  [content, events]: [Content, readonly LogEvent[]],
): Promise<Either<Unavailable, readonly Frame[]>> => {
  let frames: Frame[] = [];
  const breathe = breathing();
  for (const { type, data } of events) {
    if (type !== 'OperationsCommitted' || data.toVersion <= content.version) continue;
    if (!isWhole(data, content)) return unavailable('The document has a gap in its history.');
    noteCommitted(content.clients, data);
    const jump = data.operations.find((operation) => operation.type === 'restoreVersion');
    if (jump !== undefined) {
      const back = await putBack(deps, place, { content, batch: data });
      if (isLeft(back)) return back;
      frames = [];
    } else frames.push(applyCommitted(content, data));
    await breathe();
  }
  return right(frames);
};

/** What was copied has nothing before it: without its snapshot there is no such document. */
const startsSomewhere = (content: Content, events: readonly LogEvent[]): boolean =>
  content.snapshot !== undefined || events[0]?.type !== 'ContentCopied';

/** Everything before a revision, which is where this owner begins. */
export const load = async (
  deps: OwnerDeps,
  place: DocumentKey,
  before: number,
): Promise<Either<Unavailable, LoadedDocument>> => {
  const content = emptyContent();
  const stream = logStream(place.tenant, place.documentId);
  const isBase = fromSnapshot(deps, place, content);
  const back = await readBack(deps, { stream, from: before - 1, isBase });
  if (isLeft(back)) return back;
  if (!startsSomewhere(content, back.right.events)) return unavailable('The document cannot be read.');
  const frames = await replayed(deps, place, [content, back.right.events]);
  if (isLeft(frames)) return frames;
  content.revision = before;
  return right({ content, frames: frames.right });
};
