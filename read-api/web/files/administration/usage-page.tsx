/** What the files of the tenant take up, and how much they may. */
import { getFileUsage } from '../../../../packages/client/src/operations';
import type { FileUsage } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { DescriptionList } from '../../identity/shared/display';
import { bytesOf, countOf, numberOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { fileOrphansPath, filesPath } from '../paths';

const everyMilliseconds = 15_000;
/** Of the limit: from here on uploads may soon be refused. */
const nearlyFull = 0.9;

interface PartProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly show: (value: number) => string;
}

const Part = ({ label, used, limit, show }: PartProps) => (
  <div class="usage">
    <h2>{label}</h2>
    <p>
      <strong>{show(used)}</strong> of {show(limit)}
    </p>
    <progress max={Math.max(1, limit)} value={Math.min(used, limit)} aria-label={label} />
  </div>
);

const Usage = ({ usage }: { readonly usage: FileUsage }) => {
  const { usedBytes, reservedBytes, limitBytes, files, limitFiles, openUploads } = usage;
  const isFull = (usedBytes + reservedBytes) / limitBytes >= nearlyFull || files / limitFiles >= nearlyFull;
  return (
    <>
      {isFull && (
        <p class="notice warn">
          Nearly all of it is used: uploads are refused when it is full. Delete files for ever, also those in the trash,
          or ask your operator for more.
        </p>
      )}
      <div class="usages">
        <Part label="Storage" used={usedBytes} limit={limitBytes} show={bytesOf} />
        <Part label="Files" used={files} limit={limitFiles} show={numberOf} />
      </div>
      <DescriptionList
        facts={[
          ['Uploads that are open', countOf(openUploads, 'upload')],
          ['Reserved by them', bytesOf(reservedBytes)],
        ]}
      />
      <p class="help">
        Of the whole organization. All versions count, also of files in the trash, until the file is deleted for ever.
        What is read of files (text, passages, vectors) does not count.
      </p>
    </>
  );
};

export const UsagePage = () => {
  const usage = useResource(getFileUsage(), { everyMilliseconds });
  return (
    <>
      <PageHeading title="Storage used" trail={[{ label: 'Files', path: filesPath }]}>
        {hasScope('files:admin') && (
          <a class="button" href={fileOrphansPath}>
            Files without an owner
          </a>
        )}
      </PageHeading>
      <AsyncContent source={usage} rows={3}>
        {(found) => <Usage usage={found} />}
      </AsyncContent>
    </>
  );
};
