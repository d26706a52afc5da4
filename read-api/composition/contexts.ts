/** What each context brings to the query API and to services of its own on the query side. */
import { type OfEachContext, partsOf } from '../../domain/contexts';
import { context as editor } from '../editor/context';
import { context as files } from '../files/context';
import { context as geo } from '../geo/context';
import { context as identity } from '../identity/context';
import type { QueryContext } from '../kernel/context';
import { context as platform } from '../platform/context';
import { context as ratelimit } from '../ratelimit/context';
import { context as video } from '../video/context';
import { context as webhooks } from '../webhooks/context';
import { context as workflow } from '../workflow/context';

const ofEach: OfEachContext<QueryContext> = {
  identity,
  privacy: 'none',
  platform,
  ratelimit,
  editor,
  geo,
  workflow,
  files,
  video,
  webhooks,
};

export const queryContexts = partsOf(ofEach);
