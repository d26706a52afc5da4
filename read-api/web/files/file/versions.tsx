/** Versions of a file: which one answers, and a new one by upload. */
import { listFileVersions } from '../../../../packages/client/src/operations';
import type { FileVersion } from '../../../../packages/client/src/schemas';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { bytesOf } from '../../kernel/format';
import type { Pages } from '../../kernel/use-pages';
import { CopyableId } from '../../references/copyable-id';
import { Person } from '../../references/person';
import { FileState } from '../labels';
import { fileViewPath } from '../paths';
import { FilePicker } from '../upload/drop-zone';
import { UploadList } from '../upload/upload-list';
import { DownloadButton } from './download';

export const versionsOf = (fileId: string) => listFileVersions({ fileId, limit: 20 });

const VersionState = ({ status, errorDetail }: Pick<FileVersion, 'status' | 'errorDetail'>) => (
  <>
    <FileState status={status} />
    {errorDetail !== null && status !== 'SUPERSEDED' && <div class="below">{errorDetail}</div>}
  </>
);

const columns = (fileId: string): readonly Column<FileVersion>[] => [
  {
    title: 'Version',
    show: ({ versionNumber, isCurrent, createdAt, checksumSha256, status, errorDetail }) => (
      <>
        {versionNumber} {isCurrent && <StatusBadge tone="good">answers</StatusBadge>}
        <div class="below narrow">
          <VersionState status={status} errorDetail={errorDetail} />
        </div>
        <div class="below narrow">
          <Timestamp at={createdAt} />
        </div>
        {checksumSha256 !== null && (
          <div class="below">
            <CopyableId id={checksumSha256} noun="SHA-256" of={`version ${versionNumber}`} />
          </div>
        )}
      </>
    ),
  },
  {
    title: 'State',
    isWide: true,
    show: ({ status, errorDetail }) => <VersionState status={status} errorDetail={errorDetail} />,
  },
  { title: 'Size', kind: 'number', isWide: true, show: ({ sizeBytes }) => bytesOf(sizeBytes) },
  { title: 'By', isWide: true, show: ({ createdBy }) => <Person id={createdBy} /> },
  { title: 'Uploaded', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    title: 'Actions',
    kind: 'tight',
    show: ({ versionId, versionNumber, uploadedAt, status, isCurrent }) => (
      <div class="actions file-actions">
        {(isCurrent || status === 'READY') && (
          <a class="button small" href={fileViewPath(fileId, { version: versionId })}>
            Open<span class="hidden-text"> version {versionNumber}</span>
          </a>
        )}
        {uploadedAt !== null && (
          <DownloadButton fileId={fileId} versionId={versionId} isSmall what={`version ${versionNumber}`} />
        )}
      </div>
    ),
  },
];

interface Props {
  readonly fileId: string;
  readonly pages: Pages<FileVersion>;
  readonly mayUpload: boolean;
}

export const Versions = ({ fileId, pages, mayUpload }: Props) => {
  const target = { kind: 'version' as const, fileId };
  return (
    <section class="section">
      <div class="section-head">
        <h2>Versions</h2>
        {mayUpload && <FilePicker label="Upload a new version" target={target} isMultiple={false} />}
      </div>
      <UploadList target={target} />
      <PagedTable
        pages={pages}
        label="Versions"
        one="version"
        columns={columns(fileId)}
        keyOf={({ versionId }) => versionId}
        empty={<p class="notice">No version was uploaded yet.</p>}
        rows={1}
      />
      <p class="help">The version before answers until the new one is ready, then never again. Bytes never change.</p>
    </section>
  );
};
