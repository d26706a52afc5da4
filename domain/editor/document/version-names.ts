/** Decisions on names of versions, one per version. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import { documentLimits } from '../limits';
import type { NameVersion, VersionCommand } from './commands';
import { type DocumentDecision, documentUnknown, isExisting, rejectUnlessPermitted } from './rejections';
import type { DocumentState, ExistingDocument } from './state';

const nameVersion = (command: NameVersion, { named, firstVersion }: ExistingDocument): DocumentDecision => {
  const { documentId, version, headVersion, name } = command;
  if (version > headVersion) return reject('version-unknown', `The last version is ${headVersion}.`);
  if (version < firstVersion)
    return reject('version-unknown', `The document was copied, and begins at ${firstVersion}.`);
  const before = named.find((one) => one.version === version)?.name;
  if (before === name) return right([]);
  if (before !== undefined) return right([{ type: 'VersionRenamed', data: { documentId, version, name } }]);
  if (named.length >= documentLimits.namedVersions)
    return reject('too-many-named-versions', `At most ${documentLimits.namedVersions} versions can have a name.`);
  return right([{ type: 'VersionNamed', data: { documentId, version, name } }]);
};

export const decideVersion = (command: VersionCommand, state: DocumentState): DocumentDecision => {
  const refused = rejectUnlessPermitted(state, command.by, 'nameVersions');
  if (refused !== undefined) return refused;
  if (!isExisting(state)) return documentUnknown();
  if (command.type === 'NameVersion') return nameVersion(command, state);
  const { documentId, version } = command;
  const isNamed = state.named.some((one) => one.version === version);
  return right(isNamed ? [{ type: 'VersionNameRemoved', data: { documentId, version } }] : []);
};
