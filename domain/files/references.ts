/** What events of files refer to in object storage: uploaded versions, and what their processing promoted. */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../kernel/ids';
import {
  noReferences,
  type OpenReferenceReader,
  type OutsideReference,
  type ReferenceChange,
  type ReferringEvent,
} from '../kernel/references';
import type { ContentReference } from './content/content-reference';
import { versionKey } from './content/keys';
import { deletions } from './deletion/events';
import { fileStream, files } from './file/events';
import { type IngestionEvent, ingestions } from './ingestion/events';

const blob = (name: string, owner: string): OutsideReference => ({ kind: 'blob', name, owner });

const ofFile = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = files.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined || event.right.type !== 'VersionUploaded') return noReferences;
  const { fileId, versionId } = event.right.data;
  return { added: [blob(versionKey(tenant, fileId, versionId), stream)] };
};

const contentsOf = ({ type, data }: IngestionEvent): readonly ContentReference[] => {
  if (type === 'StageCompleted') return data.result.outputs;
  if (type !== 'ChunksIndexed') return [];
  const { chunks, vectors } = data.content;
  return vectors === null ? [chunks] : [chunks, vectors];
};

const ofIngestion = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = ingestions.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined) return noReferences;
  const owner = fileStream(tenant, event.right.data.fileId);
  return { added: contentsOf(event.right).map(({ key }) => blob(key, owner)) };
};

/** Nothing of a deleted file is expected any longer; what its events name was removed by and by before. */
const ofDeletion = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = deletions.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined || event.right.type !== 'DeletionBegun') return noReferences;
  return { removed: [fileStream(tenant, event.right.data.fileId)] };
};

export const references: OpenReferenceReader = () => (event) => {
  if (event.stream.startsWith(files.prefix)) return ofFile(event);
  if (event.stream.startsWith(deletions.prefix)) return ofDeletion(event);
  return event.stream.startsWith(ingestions.prefix) ? ofIngestion(event) : noReferences;
};
