/** Runners of the installation, and the organization's own: registered with a token, drained and removed from here. */
import { useState } from 'preact/hooks';
import { createRunnerToken, drainRunner, listRunners, removeRunner } from '../../../../packages/client/src/operations';
import type { RunnerToken, WorkflowRunner } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CopyButton } from '../../components/copy-button';
import { Dialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { send } from '../../kernel/api-client';
import { exactTimeOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { usePages } from '../../kernel/use-pages';

const everyMilliseconds = 5_000;

const tones = { idle: 'good', busy: 'plain', draining: 'warn', offline: 'bad' } as const;

const columns: readonly Column<WorkflowRunner>[] = [
  {
    title: 'Runner',
    show: ({ name, labels, last_heartbeat_at: at }) => (
      <>
        {name}
        <div class="below">{labels.join(', ')}</div>
        <div class="below narrow">
          Last seen <Timestamp at={at} />
        </div>
      </>
    ),
  },
  {
    title: 'Status',
    show: ({ status }) => <StatusBadge tone={tones[status]}>{status}</StatusBadge>,
  },
  { title: 'Isolation', isWide: true, show: ({ isolation }) => isolation },
  {
    title: 'Last seen',
    kind: 'tight',
    isWide: true,
    show: ({ last_heartbeat_at: at }) => <Timestamp at={at} />,
  },
  { title: 'Registered', kind: 'tight', isWide: true, show: ({ registered_at: at }) => <Timestamp at={at} /> },
];

interface Change {
  readonly runner: WorkflowRunner;
  readonly kind: 'drain' | 'remove';
}

const actionsOf = (choose: (change: Change) => void): Column<WorkflowRunner> => ({
  title: 'Actions',
  kind: 'tight',
  show: (runner) => (
    <span class="actions">
      {runner.status !== 'draining' && (
        <button
          type="button"
          class="button small"
          aria-label={`Drain ${runner.name}`}
          onClick={() => choose({ runner, kind: 'drain' })}
        >
          Drain
        </button>
      )}
      <button
        type="button"
        class="button danger small"
        aria-label={`Remove ${runner.name}`}
        onClick={() => choose({ runner, kind: 'remove' })}
      >
        Remove
      </button>
    </span>
  ),
});

const texts = {
  drain: {
    act: 'Drain',
    success: 'The runner gets no more jobs.',
    text: 'It finishes its job and gets no more. This cannot be undone: register another runner instead.',
  },
  remove: {
    act: 'Remove',
    success: 'The runner was removed.',
    text: 'Its credential is refused from now on. A job that it runs is lost, so drain the runner first.',
  },
} as const;

interface ChangeProps {
  readonly change: Change;
  readonly onDone: () => void;
  readonly close: () => void;
}

const ChangeDialog = ({ change: { runner, kind }, onDone, close }: ChangeProps) => {
  const command = useCommand();
  const { act, success, text } = texts[kind];
  const apply = async (): Promise<Problem | undefined> => {
    const answer = await command((kind === 'drain' ? drainRunner : removeRunner)({ runnerId: runner.id }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={kind === 'drain' ? `Drain ${runner.name}?` : `Remove ${runner.name}?`}
      act={act}
      isDangerous={kind === 'remove'}
      success={success}
      onAct={apply}
      close={close}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
};

interface TokenProps {
  readonly made: RunnerToken;
  readonly close: () => void;
}

const startCommand = (token: string): string => `(umask 077; echo ${token} > runner-token)
npm run runner -- --url ${location.origin} --token-file runner-token --labels gpu,large`;

const TokenDialog = ({ made: { token, expiresAt }, close }: TokenProps) => (
  <Dialog title="Registration token" close={close}>
    <p>
      It registers one runner, until <time dateTime={expiresAt}>{exactTimeOf(expiresAt)}</time>. It is not shown again.
    </p>
    <p class="mono secret">{token}</p>
    <p>
      Start the runner in a checkout of Septet, on the machine that runs the jobs. <code>--labels</code> says which jobs
      it takes.
    </p>
    <div class="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{startCommand(token)}</pre>
    </div>
    <div class="actions">
      <CopyButton text={startCommand(token)} label="Copy the commands" />
      <CopyButton text={token} label="Copy the token" />
      <button type="button" class="button primary" onClick={close}>
        Done
      </button>
    </div>
  </Dialog>
);

/** `npm start` brings one where sandboxes work. Operators of an installation end it with their processes, not from here. */
const ManagedRunners = () => (
  <section class="section">
    <h2>Of this installation</h2>
    <PagedTable
      pages={usePages(listRunners({ type: 'managed', limit: 50 }), { everyMilliseconds })}
      label="Runners of this installation"
      one="runner"
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <p class="notice">
          None. <code>npm start</code> brings one where the machine can make sandboxes.
        </p>
      }
      rows={1}
    />
  </section>
);

export const RunnersPage = () => {
  const [made, setMade] = useState<RunnerToken>();
  const [change, setChange] = useState<Change>();
  const pages = usePages(listRunners({ limit: 50 }), { everyMilliseconds });
  const isAdmin = hasScope('workflows:admin');
  const create = async (): Promise<void> => {
    const answer = await send(createRunnerToken());
    if (answer.ok) setMade(answer.content);
    else showToast(answer.problem.detail);
  };
  return (
    <>
      <PageHeading
        title="Runners"
        lead="Machines that run jobs: those of this installation for every organization, and your own."
      >
        {isAdmin && (
          <button type="button" class="button primary" onClick={() => void create()}>
            Create a registration token
          </button>
        )}
      </PageHeading>
      <ManagedRunners />
      <section class="section">
        <h2>Your own</h2>
        <PagedTable
          pages={pages}
          label="Your own runners"
          one="runner"
          columns={isAdmin ? [...columns, actionsOf(setChange)] : columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title="No runners of your own">
              Add a machine for jobs that need its hardware, its network or its labels: create a registration token, and
              start the runner with it. <Guide name="workflows" group="workflows" />
            </EmptyState>
          }
        />
      </section>
      {made !== undefined && <TokenDialog made={made} close={() => setMade(undefined)} />}
      {change !== undefined && (
        <ChangeDialog change={change} onDone={pages.reload} close={() => setChange(undefined)} />
      )}
    </>
  );
};
