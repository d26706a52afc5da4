/** Git directories of repositories, graphs of runs and artifacts. */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../kernel/ids';
import {
  noReferences,
  type OpenReferenceReader,
  type ReferenceChange,
  type ReferringEvent,
} from '../kernel/references';
import { artifacts } from './artifact/events';
import { repositories, repositoryStream } from './repository/events';
import { runs } from './run/events';
import { triggers } from './trigger/events';

type Read = (event: ReferringEvent) => ReferenceChange;

/** A directory is made by the first request that needs it. What was found at a commit of a repository was read from its directory. */
const ofTrigger: Read = ({ stream, type, data }) => {
  const event = triggers.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined) return noReferences;
  const { repoId } = event.right.data;
  return { added: [{ kind: 'repository', name: `${tenant}/${repoId}.git`, owner: repositoryStream(tenant, repoId) }] };
};

const ofRepository: Read = ({ stream, type, data }) => {
  const event = repositories.decode(type, data);
  return !isLeft(event) && event.right.type === 'RepositoryDeleted' ? { removed: [stream] } : noReferences;
};

/** Graphs stay for as long as the log does. */
const ofRun: Read = ({ stream, type, data }) => {
  const event = runs.decode(type, data);
  if (isLeft(event) || !('graphKey' in event.right.data)) return noReferences;
  return { added: [{ kind: 'blob', name: event.right.data.graphKey, owner: stream }] };
};

/** An artifact's bytes are known to be stored once it is committed. */
const readArtifacts = (): Read => {
  const announced = new Map<string, string>();
  return ({ stream, type, data }) => {
    const event = artifacts.decode(type, data);
    if (isLeft(event)) return noReferences;
    const key = announced.get(stream);
    announced.delete(stream);
    if (event.right.type === 'ArtifactDeleted') return { removed: [stream] };
    if (event.right.type === 'ArtifactCommitted')
      return key === undefined ? noReferences : { added: [{ kind: 'blob', name: key, owner: stream }] };
    announced.set(stream, event.right.data.storageKey);
    return noReferences;
  };
};

export const references: OpenReferenceReader = () => {
  const families = [
    [repositories, ofRepository],
    [triggers, ofTrigger],
    [runs, ofRun],
    [artifacts, readArtifacts()],
  ] as const;
  const readers = new Map(
    families.flatMap(([{ storedTypes }, read]) => storedTypes.map((type) => [type, read] as const)),
  );
  return (event) => readers.get(event.type)?.(event) ?? noReferences;
};
