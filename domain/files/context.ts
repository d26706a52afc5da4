/** The manifest of files: they are uploaded, made findable by their words and their meaning, and shared. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'files',
  scopes: [
    { name: 'files:read', description: 'See, search and download files that are shared with you' },
    { name: 'files:write', description: 'Upload files, organize and share them, and delete your own' },
    {
      name: 'files:admin',
      description:
        'Manage groups that files are shared with, see why someone sees a file, hand over files whose owner is not active, hold files against deletion, and see all deletions',
    },
  ],
  tags: [
    {
      name: 'files',
      description: 'Files: upload, versions, folders, sharing, deletion.',
      paths: /^\/v1\/(?:files|file-folders|file-groups|file-people|file-deletions|file-orphans|file-usage)(?:\/|$)/,
    },
    {
      name: 'retrieval',
      description:
        'Search and answers from files that are shared with the caller, by words and by meaning, with citations.',
      paths: /^\/v1\/retrieval(?:\/|$)/,
    },
  ],
  limitGroups: [],
  destinations: [
    { paths: ['/v1/retrieval/search', '/v1/retrieval/answer'], methods: ['POST'], service: 'read-api', question: true },
  ],
  services: [],
};
