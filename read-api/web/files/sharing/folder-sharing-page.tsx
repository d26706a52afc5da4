/** Who sees a folder, and so everything in it. */
import { useState } from 'preact/hooks';
import { getFileFolder } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { nameOf } from '../labels';
import { filesPath, folderPath } from '../paths';
import { mayDispose } from '../roles';
import { HandOverDialog } from './hand-over-dialog';
import { Sharing } from './sharing';

export const FolderSharingPage = ({ params }: PageProps) => {
  const { folderId = '' } = params;
  const folder = useResource(getFileFolder({ folderId }));
  const [isHandingOver, setHandingOver] = useState(false);
  const { content } = folder;
  const name = nameOf(content?.name ?? null);
  const trail = [
    { label: 'Files', path: filesPath },
    ...(content?.path ?? []).map((one) => ({ label: nameOf(one.name), path: folderPath(one.folderId) })),
    ...(content === undefined ? [] : [{ label: name, path: folderPath(folderId) }]),
  ];
  const what = { kind: 'folder' as const, id: folderId, name };
  return (
    <>
      <PageHeading
        title={content === undefined ? 'Sharing' : `Sharing of ${name}`}
        lead="A role in a folder counts for everything in it."
        trail={trail}
      >
        {content !== undefined && mayDispose(content.role) && (
          <button type="button" class="button" onClick={() => setHandingOver(true)}>
            Hand over
          </button>
        )}
      </PageHeading>
      <AsyncContent source={folder}>{() => <Sharing what={what} onDone={folder.reload} />}</AsyncContent>
      {isHandingOver && (
        <HandOverDialog what={what} onDone={() => navigate(filesPath)} close={() => setHandingOver(false)} />
      )}
    </>
  );
};
