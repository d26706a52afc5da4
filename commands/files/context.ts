/** Files on the write side: uploads, access, and their processing again. */
import { isLeft } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { configuredModel, embedderVariables } from '../../infra/adapters/embeddings/open-embedder';
import { optional, variables } from '../../infra/server/runtime/config';
import { commandContext } from '../kernel/context';
import { openIndexedFiles } from './reindexing/indexed-files';
import { fileRoutes } from './routes';

export const context = commandContext({
  config: { ...blobVariables, ...embedderVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) },
  open: (values, adapters) => {
    const opened = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    if (isLeft(opened)) return { deps: 'none' as const };
    const reindexing = { indexedFiles: openIndexedFiles(adapters.store), embeddingModel: configuredModel(values) };
    return { deps: { ...adapters, ...reindexing, blobs: opened.right }, close: opened.right.close };
  },
  routes: fileRoutes,
});
