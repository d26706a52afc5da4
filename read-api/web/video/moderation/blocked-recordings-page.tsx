/** Recordings whose sound no new video may have. */
import { useState } from 'preact/hooks';
import { listBlockedRecordings, unblockRecording } from '../../../../packages/client/src/operations';
import type { BlockedRecording } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { countOf } from '../../kernel/format';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { Reference } from '../../references/reference';
import { videosPath } from '../paths';

interface UnblockProps {
  readonly recording: BlockedRecording;
  readonly onDone: () => void;
  readonly close: () => void;
}

const UnblockDialog = ({ recording: { recordingId, name }, onDone, close }: UnblockProps) => {
  const send = useCommand();
  const unblock = async () => {
    const answer = await send(unblockRecording({ recordingId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Unblock the recording?"
      act="Unblock"
      isDangerous
      success="The recording is unblocked."
      onAct={unblock}
      close={close}
    >
      <p>
        New videos may have the sound of <strong>{name}</strong>. Those that failed for it are let through one by one,
        on their pages.
      </p>
    </ConfirmDialog>
  );
};

const columnsOf = (open: (recording: BlockedRecording) => void): readonly Column<BlockedRecording>[] => [
  { title: 'Recording', show: ({ name }) => name },
  { title: 'Blocked by the sound of', show: ({ videoId }) => <Reference kind="video" id={videoId} isShort /> },
  {
    title: 'Actions',
    kind: 'tight',
    show: (recording) => (
      <RowButton label="Unblock" what={recording.name} isDangerous onPress={() => open(recording)} />
    ),
  },
];

export const BlockedRecordingsPage = () => {
  const recordings = useResource(listBlockedRecordings());
  const [unblocked, setUnblocked] = useState<BlockedRecording>();
  return (
    <>
      <PageHeading
        title="Blocked recordings"
        lead="A new video that has one of them in its sound fails, until that is overridden on its page."
        trail={[{ label: 'Videos', path: videosPath }]}
      />
      <AsyncContent source={recordings} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No recording is blocked">
              Block the sound of a video on its page, and new videos are compared with it.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Blocked recordings"
                rows={items}
                columns={columnsOf(setUnblocked)}
                keyOf={({ recordingId }) => recordingId}
              />
              <div class="more">
                <span role="status">{countOf(items.length, 'recording')}</span>
              </div>
            </>
          )
        }
      </AsyncContent>
      {unblocked !== undefined && (
        <UnblockDialog recording={unblocked} onDone={recordings.reload} close={() => setUnblocked(undefined)} />
      )}
    </>
  );
};
