/** Workflow files of commits in memory: the event that starts runs reads them, and so does each run. A commit never changes. */
import { isRight, right } from 'fp-ts/Either';
import type { CommitFile, GitLocation, GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import { createByteMemory } from '../byte-memory';

const defaultBytes = 8 * 2 ** 20;
/** Of a list without files. */
const listBytes = 256;

export const rememberFiles = (git: GitRepositories, mostBytes = defaultBytes): GitRepositories => {
  const memory = createByteMemory<readonly CommitFile[]>(mostBytes);
  const keyOf = ({ tenantId, repoId }: GitLocation): string => `${tenantId} ${repoId} `;
  return {
    ...git,
    workflowFiles: async (location, commit) => {
      const key = `${keyOf(location)}${commit}`;
      const known = memory.get(key);
      if (known !== undefined) return right(known);
      const files = await git.workflowFiles(location, commit);
      if (isRight(files)) {
        const bytes = files.right.reduce((sum, { content }) => sum + content.byteLength, listBytes);
        memory.set(key, files.right, bytes);
      }
      return files;
    },
    remove: (location) => {
      memory.forget(keyOf(location));
      return git.remove(location);
    },
  };
};
