/** The aggregates, processes and references of every context. A context that is missing here does not compile. */
import { type OfEachContext, partsOf } from './contexts';
import { context as editor } from './editor/aggregates';
import { context as files } from './files/aggregates';
import { context as geo } from './geo/aggregates';
import { context as identity } from './identity/aggregates';
import { type Aggregate, type ContextAggregates, type ContextProcesses, instancesOf } from './kernel/aggregate';
import type { ReferenceReader } from './kernel/references';
import { context as platform } from './platform/aggregates';
import { context as privacy } from './privacy/aggregates';
import { processes } from './processes';
import { context as ratelimit } from './ratelimit/aggregates';
import { context as video } from './video/aggregates';
import { context as webhooks } from './webhooks/aggregates';
import { context as workflow } from './workflow/aggregates';

const ofEach: OfEachContext<ContextAggregates> = {
  identity,
  privacy,
  platform,
  ratelimit,
  editor,
  geo,
  workflow,
  files,
  video,
  webhooks,
};

const contexts = partsOf(ofEach);

/** Of every stream that the system writes. */
export const aggregates: readonly Aggregate[] = [
  ...contexts.flatMap(({ aggregates: own }) => own),
  ...partsOf<ContextProcesses>(processes).flatMap(instancesOf),
];

/** Each reads a log from its beginning. */
export const openReferenceReaders = (): readonly ReferenceReader[] =>
  contexts.flatMap(({ references }) => (references === 'none' ? [] : [references()]));
