/** One deletion, step by step, for the owner that the file had. Its name is gone with its key. */
import { getFileDeletion } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { DescriptionList } from '../../identity/shared/display';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import type { PageProps } from '../../shell/section';
import { fileDeletionsPath, filesPath, trashPath } from '../paths';
import { causeText } from './causes';
import { DeletionState, DeletionSteps } from './steps';

const everyMilliseconds = 2_000;

const at = (instant: string | null) => (instant === null ? '—' : <Timestamp at={instant} />);

export const DeletionPage = ({ params }: PageProps) => {
  const { fileId = '' } = params;
  const deletion = useResource(getFileDeletion({ fileId }), { everyMilliseconds });
  return (
    <>
      <PageHeading
        title="Deletion of a file"
        lead={<CopyableId id={fileId} of="the file" />}
        trail={[
          { label: 'Files', path: filesPath },
          { label: 'Trash', path: trashPath },
          { label: 'Deletions', path: fileDeletionsPath },
        ]}
      />
      <AsyncContent source={deletion} rows={5}>
        {(found) => (
          <>
            <DescriptionList
              facts={[
                ['State', <DeletionState key="state" deletion={found} />],
                ['Why', causeText(found.cause)],
                ['Begun', at(found.begunAt)],
                ['Deleted', at(found.deletedAt)],
              ]}
            />
            <section class="section">
              <h2>Steps</h2>
              <DeletionSteps deletion={found} />
              <p class="help">
                No search and no list has had the file since it was deleted. Each step counts what is left.
              </p>
            </section>
          </>
        )}
      </AsyncContent>
    </>
  );
};
