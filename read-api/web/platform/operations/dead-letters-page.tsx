/** Dead letters: operators with the scope replay or drop them. */
import { useState } from 'preact/hooks';
import { dropDeadLetter, listDeadLetters, replayDeadLetter } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { send } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { may, session } from '../../kernel/session';
import { usePages } from '../../kernel/use-pages';
import type { DeadLetter } from '../api-types';

type Verb = 'replay' | 'drop';

interface PendingAction {
  readonly verb: Verb;
  readonly letter: DeadLetter;
}

const words = {
  replay: {
    title: 'Try the job again?',
    act: 'Try again',
    text: 'It gets all its attempts again.',
    success: 'The job is queued again.',
  },
  drop: {
    title: 'Discard the job?',
    act: 'Discard',
    text: 'It is never tried again. This cannot be undone.',
    success: 'The job was discarded.',
  },
} as const;

const letterColumns: readonly Column<DeadLetter>[] = [
  {
    title: 'Job',
    show: ({ jobId, queue, reason, diedAt }) => (
      <>
        <span class="mono">
          {queue} {jobId}
        </span>
        <div class="below">{reason}</div>
        <div class="below narrow">
          <Timestamp at={diedAt} />
        </div>
      </>
    ),
  },
  { title: 'Attempts', kind: 'number', isWide: true, show: ({ attempts }) => attempts },
  { title: 'Failed', kind: 'tight', isWide: true, show: ({ diedAt }) => <Timestamp at={diedAt} /> },
];

const acting = (openDialog: (pending: PendingAction) => void): Column<DeadLetter> => ({
  title: 'Actions',
  kind: 'tight',
  show: (letter) => (
    <div class="actions">
      <button type="button" class="button small" onClick={() => openDialog({ verb: 'replay', letter })}>
        Try again<span class="hidden-text"> job {letter.jobId}</span>
      </button>
      <button type="button" class="button small danger" onClick={() => openDialog({ verb: 'drop', letter })}>
        Discard<span class="hidden-text"> job {letter.jobId}</span>
      </button>
    </div>
  ),
});

const mayAct = (): boolean => {
  const { value } = session;
  return (value.kind === 'in' || value.kind === 'ended') && may(value.who, 'platform:write');
};

const carryOut = async ({ verb, letter }: PendingAction): Promise<Problem | undefined> => {
  const answer = await send((verb === 'replay' ? replayDeadLetter : dropDeadLetter)({ jobId: String(letter.jobId) }));
  return answer.ok ? undefined : answer.problem;
};

export const DeadLettersPage = () => {
  const pages = usePages(listDeadLetters({ limit: '50' }));
  const [pending, setPending] = useState<PendingAction>();
  const act = async (action: PendingAction): Promise<Problem | undefined> => {
    const problem = await carryOut(action);
    if (problem === undefined) pages.reload();
    return problem;
  };
  return (
    <>
      <PageHeading title="Dead letters" lead="Jobs that failed on their last attempt. Their work was not done." />
      <AsyncContent source={{ content: pages.items, problem: pages.problem, reload: pages.reload }}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No dead letters">
              A job that fails on every attempt appears here, to be tried again or discarded. Others are under{' '}
              <a href="/console/jobs">Jobs</a>.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Dead letters"
                rows={items}
                columns={mayAct() ? [...letterColumns, acting(setPending)] : letterColumns}
                keyOf={({ jobId }) => jobId}
              />
              <LoadMore count={items.length} one="dead letter" more={pages.more} isLoading={pages.isLoading} />
            </>
          )
        }
      </AsyncContent>
      {pending !== undefined && <ConfirmAction pending={pending} act={act} close={() => setPending(undefined)} />}
    </>
  );
};

interface ConfirmActionProps {
  readonly pending: PendingAction;
  readonly act: (pending: PendingAction) => Promise<Problem | undefined>;
  readonly close: () => void;
}

const ConfirmAction = ({ pending, act, close }: ConfirmActionProps) => (
  <ConfirmDialog
    title={words[pending.verb].title}
    act={words[pending.verb].act}
    success={words[pending.verb].success}
    isDangerous={pending.verb === 'drop'}
    onAct={() => act(pending)}
    close={close}
  >
    <p>
      Job <span class="mono">{pending.letter.jobId}</span> of <span class="mono">{pending.letter.queue}</span>.{' '}
      {words[pending.verb].text}
    </p>
  </ConfirmDialog>
);
