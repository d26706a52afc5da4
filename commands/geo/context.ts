/** Places on the write side: feeds, and imports of files. */
import { isLeft } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/blobs/open-blob-store';
import { describedOnly } from '../../infra/http/routing/route';
import { optional, variables } from '../../infra/runtime/config';
import { commandContext } from '../kernel/context';
import { geoRoutes } from './routes';

export const context = commandContext({
  config: { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) },
  open: (values, platform) => {
    const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    if (isLeft(blobs)) throw new Error(blobs.left.detail);
    return { routes: geoRoutes({ ...platform, blobs: blobs.right }), close: blobs.right.close };
  },
  routes: { commands: () => geoRoutes(describedOnly) },
});
