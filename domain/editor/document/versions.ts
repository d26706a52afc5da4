/** Names of versions: one each. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { NameVersion, VersionCommand } from './commands';
import { type Decision, documentUnknown, isLiving, refusedTo } from './decision';
import { documentLimits } from './limits';
import type { DocumentState, LivingDocument } from './state';

const name = (command: NameVersion, { named, firstVersion }: LivingDocument): Decision => {
  const { documentId, version, headVersion, name: given } = command;
  if (version > headVersion) return reject('version-unknown', `The last version is ${headVersion}.`);
  if (version < firstVersion)
    return reject('version-unknown', `The document was copied, and begins at ${firstVersion}.`);
  const before = named.find((one) => one.version === version)?.name;
  if (before === given) return right([]);
  if (before !== undefined) return right([{ type: 'VersionRenamed', data: { documentId, version, name: given } }]);
  if (named.length >= documentLimits.namedVersions)
    return reject('too-many-named-versions', `${documentLimits.namedVersions} versions can have a name.`);
  return right([{ type: 'VersionNamed', data: { documentId, version, name: given } }]);
};

export const decideVersion = (command: VersionCommand, state: DocumentState): Decision => {
  const refused = refusedTo(state, command.by, 'nameVersions');
  if (refused !== undefined) return refused;
  if (!isLiving(state)) return documentUnknown();
  if (command.type === 'NameVersion') return name(command, state);
  const { documentId, version } = command;
  const isNamed = state.named.some((one) => one.version === version);
  return right(isNamed ? [{ type: 'VersionNameRemoved', data: { documentId, version } }] : []);
};
