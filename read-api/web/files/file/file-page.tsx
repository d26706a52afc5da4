/** One file: what it is, how far its processing is, its versions, and who sees it. */
import { useEffect } from 'preact/hooks';
import { getFile, getFileFolder } from '../../../../packages/client/src/operations';
import type { FileItem } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { type Crumb, PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { DescriptionList } from '../../identity/shared/display';
import { bytesOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import { Person } from '../../references/person';
import type { PageProps } from '../../shell/section';
import { FileAdministration } from '../administration/file-administration';
import { FileState, isSettled, nameOf } from '../labels';
import { filesPath, fileViewPath, folderPath, searchPath } from '../paths';
import { mayChange } from '../roles';
import { Sharing } from '../sharing/sharing';
import { uploads } from '../upload/upload-queue';
import { DownloadButton } from './download';
import { FileActions } from './file-actions';
import { Processing } from './stages';
import { Versions, versionsOf } from './versions';

const everyMilliseconds = 5_000;

/** Of the folders that the reader may see; the file may be shared by itself. */
const useTrail = (file: FileItem | undefined): readonly Crumb[] => {
  const folderId = file?.parentFolderId ?? undefined;
  const { content } = useResource(folderId === undefined ? undefined : getFileFolder({ folderId }));
  const folders = content === undefined || folderId === undefined ? [] : [...content.path, content];
  return [
    { label: 'Files', path: filesPath },
    ...folders.map((one) => ({ label: nameOf(one.name), path: folderPath(one.folderId) })),
  ];
};

const Facts = ({ file }: { readonly file: FileItem }) => (
  <DescriptionList
    facts={[
      ['State', <FileState key="state" status={file.status} />],
      [
        'Type',
        <span key="type" class="wraps">
          {file.mimeType}
        </span>,
      ],
      ['Size', file.sizeBytes === null ? '—' : bytesOf(file.sizeBytes)],
      ['Owner', <Person key="owner" id={file.ownerId} />],
      ['Your role', file.role],
      ...(file.isHeld ? [['Legal hold', 'It cannot be deleted for ever'] as const] : []),
      ['Changed', <Timestamp key="changed" at={file.updatedAt} />],
      ['Created', <Timestamp key="created" at={file.createdAt} />],
    ]}
  />
);

export const FilePage = ({ params }: PageProps) => {
  const { fileId = '' } = params;
  const file = useResource(getFile({ fileId }), { everyMilliseconds });
  const { content } = file;
  const versions = usePages(versionsOf(fileId), { everyMilliseconds });
  const trail = useTrail(content);
  const uploaded = uploads.value.filter(
    ({ target, state }) => target.kind === 'version' && target.fileId === fileId && state.kind === 'done',
  ).length;
  const reload = (): void => {
    file.reload();
    versions.reload();
  };
  useEffect(reload, [uploaded]);
  const name = nameOf(content?.filename ?? null);
  const coming = versions.items?.find(({ isCurrent, status }) => !isCurrent && !isSettled(status));
  const hasBytes = versions.items?.some(({ uploadedAt }) => uploadedAt !== null) === true;
  return (
    <>
      <PageHeading
        title={content === undefined ? 'File' : name}
        trail={trail}
        lead={<CopyableId id={fileId} of={content === undefined ? 'the file' : name} />}
      >
        {content !== undefined && (
          <>
            {content.currentVersionId !== null && (
              <a class="button primary" href={fileViewPath(fileId)}>
                Open
              </a>
            )}
            {content.currentVersionId !== null && (
              <a class="button" href={withQuery(searchPath, { files: fileId })}>
                Search in it
              </a>
            )}
            {hasBytes && <DownloadButton fileId={fileId} what={name} />}
            <FileActions file={content} onDone={reload} />
          </>
        )}
      </PageHeading>
      <AsyncContent source={file} rows={3}>
        {(found) => (
          <>
            <Facts file={found} />
            <Processing
              fileId={fileId}
              {...(coming === undefined ? {} : { versionId: coming.versionId })}
              mayChange={mayChange(found.role)}
              onSettled={reload}
            />
            <Versions fileId={fileId} pages={versions} mayUpload={mayChange(found.role)} />
            <Sharing what={{ kind: 'file', id: fileId, name }} onDone={file.reload} />
          </>
        )}
      </AsyncContent>
      {hasScope('files:admin') && (content !== undefined || file.problem?.status === 404) && (
        <FileAdministration fileId={fileId} onDone={file.reload} />
      )}
    </>
  );
};
