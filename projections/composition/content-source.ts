/** Object storage for projections. Opened only where rows are made of content, so that other projectors need no access to it. */
import { isLeft } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import type { ConfigOf } from '../../infra/server/runtime/config';
import type { ContentSource } from '../kernel/content';
import type { Projection } from '../kernel/projection';

export const contentVariables = blobVariables;

export interface OpenedContent {
  readonly blobs: ContentSource | undefined;
  readonly close: () => Promise<void>;
}

export const openContent = (
  config: ConfigOf<typeof contentVariables>,
  projections: readonly Projection[],
): OpenedContent => {
  const needing = projections.find(({ view }) => view.content === true);
  if (needing === undefined) return { blobs: undefined, close: () => Promise.resolve() };
  // Projections read, and sign no URL.
  const blobs = openBlobs(config, 'http://localhost');
  if (isLeft(blobs)) throw new Error(`${needing.view.name} is made of content in object storage: ${blobs.left.detail}`);
  return { blobs: blobs.right, close: blobs.right.close };
};
