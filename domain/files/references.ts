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
import { versionKey } from './content/keys';
import { fileStream, files } from './file/events';
import { ingestions } from './ingestion/events';

const blob = (name: string, owner: string): OutsideReference => ({ kind: 'blob', name, owner });

const ofFile = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = files.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined || event.right.type !== 'VersionUploaded') return noReferences;
  const { fileId, versionId } = event.right.data;
  return { added: [blob(versionKey(tenant, fileId, versionId), stream)] };
};

const ofIngestion = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = ingestions.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined || event.right.type !== 'StageCompleted') return noReferences;
  const owner = fileStream(tenant, event.right.data.fileId);
  return { added: event.right.data.result.outputs.map(({ key }) => blob(key, owner)) };
};

export const references: OpenReferenceReader = () => (event) => {
  if (event.stream.startsWith(files.prefix)) return ofFile(event);
  return event.stream.startsWith(ingestions.prefix) ? ofIngestion(event) : noReferences;
};
