/** How the first push to an empty repository is made: commands to paste, and where the password comes from. */
import type { WorkflowRepository } from '../../../../packages/client/src/schemas';
import { Guide } from '../../components/guide';
import { Snippet } from '../../components/snippet';
import { terminalPath } from '../../identity/fixed-paths';
import { shellWord } from '../../kernel/shell-word';
import { cloneUrl } from './repository-name';

const newRepository = (url: string, branch: string): string => `git init
git add .
git commit -m "First commit"
git branch -M ${branch}
git remote add origin ${url}
git push -u origin ${branch}`;

const existingRepository = (url: string, branch: string): string => `git remote add septet ${url}
git push -u septet HEAD:${branch}`;

export const PushCommands = ({ repository }: { readonly repository: WorkflowRepository }) => {
  const url = cloneUrl(repository);
  // Git allows names of branches that a shell would read as commands.
  const branch = shellWord(repository.default_branch);
  return (
    <>
      <div class="section">
        <p class="notice">
          Git asks for a user name, which can be anything, and for a password: an access token with the scope{' '}
          <code>workflows:write</code>. <a href={terminalPath}>Use the API from a terminal</a> gets one into{' '}
          <code>$TOKEN</code>; print it with <code>echo $TOKEN</code>. <Guide name="workflows" group="workflows" />
        </p>
      </div>
      <Snippet
        title="Push an existing repository"
        text="Run this in its checkout."
        command={existingRepository(url, branch)}
      />
      <Snippet
        title="Push a new repository"
        text="Run this in the directory with your files, one of them in .github/workflows."
        command={newRepository(url, branch)}
      />
    </>
  );
};
