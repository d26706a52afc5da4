/** Caches the workflow files of commits: the event that starts runs reads them, and so does each run. A commit never changes. */
import { isRight, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { CommitFile, GitLocation, GitRepositories } from '../../../infra/ports/workflow/git-repositories';

const defaultBytes = 8 * 2 ** 20;
/** Of a list without files. */
const listBytes = 256;

export const cacheWorkflowFiles = (git: GitRepositories, mostBytes = defaultBytes): GitRepositories => {
  const memory = new LRUCache<string, readonly CommitFile[]>({ maxSize: mostBytes });
  const keyOf = ({ tenantId, repoId }: GitLocation): string => `${tenantId} ${repoId} `;
  return {
    ...git,
    workflowFiles: async (location, commit) => {
      const key = `${keyOf(location)}${commit}`;
      const known = memory.get(key);
      if (known !== undefined) return right(known);
      const files = await git.workflowFiles(location, commit);
      if (isRight(files)) {
        const size = files.right.reduce((sum, { content }) => sum + content.byteLength, listBytes);
        memory.set(key, files.right, { size });
      }
      return files;
    },
    remove: (location) => {
      for (const key of [...memory.keys()]) if (key.startsWith(keyOf(location))) memory.delete(key);
      return git.remove(location);
    },
  };
};
