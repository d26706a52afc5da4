import { document } from '../../../../domain/editor/document/decider';
import type { DocumentId } from '../../../../domain/editor/ids';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { given } from '../../../kernel/domain/given-when-then';
import { ada, bob, commandOf, created, memberAdded, noon, recorded } from '../examples';

describe('names of versions of a document', () => {
  it('are unique per version', () => {
    const name = (by: PrincipalId, text: string) =>
      commandOf(by, 'NameVersion', { version: 3, name: text, headVersion: 3 });
    const named = recorded('VersionNamed', { version: 3, name: 'Review' });
    given(document, created).when(name(ada, 'Review')).then(named);
    given(document, created, named).when(name(ada, 'Review')).thenNothing();
    given(document, created, named)
      .when(name(ada, 'Draft'))
      .then(recorded('VersionRenamed', { version: 3, name: 'Draft' }));
    given(document, created, memberAdded(bob, 'viewer')).when(name(bob, 'x')).rejects('role-too-low');
    given(document, created)
      .when(commandOf(ada, 'NameVersion', { version: 4, name: 'x', headVersion: 3 }))
      .rejects('version-unknown');
    const removal = commandOf(ada, 'RemoveVersionName', { version: 3 });
    given(document, created, named)
      .when(removal)
      .then(recorded('VersionNameRemoved', { version: 3 }));
    given(document, created).when(removal).thenNothing();
    const many = Array.from({ length: 1_000 }, (_, version) =>
      recorded('VersionNamed', { version: version + 10, name: 'n' }),
    );
    given(document, created, ...many)
      .when(name(ada, 'x'))
      .rejects('too-many-named-versions');
  });

  it('require an existing version; a copy begins at its base version', () => {
    const copiedFrom = { documentId: 'd-0' as DocumentId, version: 7 };
    const copied = recorded('DocumentCreated', {
      title: 'Copy',
      homeRegion: 'local',
      createdBy: ada,
      createdAt: noon,
      copiedFrom,
    });
    const nameOf = (version: number) => commandOf(ada, 'NameVersion', { version, name: 'x', headVersion: 9 });
    given(document, copied).when(nameOf(6)).rejects('version-unknown');
    given(document, copied)
      .when(nameOf(7))
      .then(recorded('VersionNamed', { version: 7, name: 'x' }));
  });
});
