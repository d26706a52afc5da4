/** The views of all contexts. */
import { type OfEachContext, partsOf } from '../../domain/contexts';
import { context as editor } from '../editor/context';
import { context as files } from '../files/context';
import { context as geo } from '../geo/context';
import { context as identity } from '../identity/context';
import type { Projection } from '../kernel/projection';
import { context as platform } from '../platform/context';
import { context as ratelimit } from '../ratelimit/context';
import { context as video } from '../video/context';
import { context as webhooks } from '../webhooks/context';
import { context as workflow } from '../workflow/context';

const ofEach: OfEachContext<readonly Projection[]> = {
  identity,
  privacy: 'none',
  platform,
  ratelimit,
  editor,
  geo,
  files,
  workflow,
  video,
  webhooks,
};

export const projections: readonly Projection[] = partsOf(ofEach).flat();
