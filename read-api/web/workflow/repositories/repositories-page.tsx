/** Repositories of the organization, with where to clone them, and the form for another one. */
import { useState } from 'preact/hooks';
import { createRepository, listRepositories } from '../../../../packages/client/src/operations';
import type { WorkflowRepository } from '../../../../packages/client/src/schemas';
import { BreakablePath } from '../../components/breakable-path';
import { CopyButton } from '../../components/copy-button';
import { EmptyState } from '../../components/empty-state';
import { TextField } from '../../components/form-fields';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { ProblemMessage } from '../../components/problem-message';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { useFirstField } from '../../kernel/use-first-field';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import { runsPath } from '../paths';
import { cloneUrl } from './repository-name';

const columns: readonly Column<WorkflowRepository>[] = [
  {
    title: 'Repository',
    show: (repository) => (
      <>
        <a href={runsPath(repository.id)}>{repository.name}</a>
        <div class="below mono">
          <BreakablePath path={cloneUrl(repository)} />
        </div>
        <div class="copy-below">
          <CopyButton text={cloneUrl(repository)} label="Copy the address" />
        </div>
        {repository.remote_url !== null && (
          <div class="below">
            Copy of <span class="mono">{repository.remote_url}</span>
          </div>
        )}
        <div class="below narrow">
          Created <Timestamp at={repository.created_at} />
        </div>
      </>
    ),
  },
  { title: 'Default branch', isWide: true, show: ({ default_branch: branch }) => <span class="mono">{branch}</span> },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ created_at: at }) => <Timestamp at={at} /> },
];

/** What the server refuses, by field. */
const faults: { readonly [pointer: string]: string } = {
  '/body/name':
    'Must be letters, digits, dots, dashes and underscores. It cannot begin with a dot or a dash, or end with a dot or .git.',
  '/body/default_branch':
    'Must be a branch name that Git accepts, such as main or release/2: no spaces, and no .. or //.',
  '/body/remote_url': 'Must be an https:// address without a user name, a query or a fragment.',
};

interface NewRepositoryProps {
  readonly onDone: () => void;
  readonly close: () => void;
}

const NewRepository = ({ onDone, close }: NewRepositoryProps) => {
  const form = useFirstField<HTMLFormElement>();
  const [name, setName] = useState('');
  const [branch, setBranch] = useState('main');
  const [remoteUrl, setRemoteUrl] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const errors = problem?.errors ?? [];
  const faultAt = (pointer: string): string | undefined =>
    errors.some((error) => error.pointer === pointer) ? faults[pointer] : undefined;
  const isAtFields = errors.length > 0 && errors.every(({ pointer }) => faults[pointer] !== undefined);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const remote = remoteUrl.trim() === '' ? {} : { remote_url: remoteUrl.trim() };
    const answer = await send(
      createRepository({ body: { name: name.trim(), default_branch: branch.trim(), ...remote } }),
    );
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast('The repository was created.');
    onDone();
  };
  return (
    <section class="section repository-form" aria-label="Create a repository">
      <form ref={form} class="form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          help="Letters, digits, dots, dashes and underscores. The name is part of the address."
          value={name}
          onType={setName}
          maxLength={100}
          isRequired
          fault={faultAt('/body/name')}
        />
        <TextField
          label="Default branch"
          value={branch}
          onType={setBranch}
          maxLength={200}
          isRequired
          fault={faultAt('/body/default_branch')}
        />
        <TextField
          label="Copy of"
          help="Optional. The https address of a public repository elsewhere. Septet fetches it when events are reported; you cannot push to it."
          value={remoteUrl}
          onType={setRemoteUrl}
          maxLength={2_000}
          fault={faultAt('/body/remote_url')}
        />
        {isAtFields && (
          <p class="notice bad" role="alert">
            The repository was not created.
          </p>
        )}
        {problem !== undefined && !isAtFields && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy}>
            Create
          </button>
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  );
};

export const RepositoriesPage = ({ query }: PageProps) => {
  const mayCreate = hasScope('workflows:admin');
  const [isOpen, setOpen] = useState(mayCreate && query.has('new'));
  const pages = usePages(listRepositories({ limit: 50 }));
  const created = (): void => {
    setOpen(false);
    pages.reload();
  };
  return (
    <>
      <PageHeading title="Repositories" lead="A push starts the workflows in .github/workflows.">
        {mayCreate && (
          <button type="button" class="button primary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Create a repository
          </button>
        )}
      </PageHeading>
      {isOpen && <NewRepository onDone={created} close={() => setOpen(false)} />}
      <PagedTable
        pages={pages}
        label="Repositories"
        one="repository"
        many="repositories"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="No repositories yet">
            A repository has your code and its workflows: files in <code>.github/workflows</code>, in the form of GitHub
            Actions. Create one, then push to its address; each push starts a run.{' '}
            <Guide name="workflows" group="workflows" />
          </EmptyState>
        }
      />
    </>
  );
};
