/** The processes and work queues of all contexts. */
import { type OfEachContext, partsOf } from '../../domain/contexts';
import { context as geo } from '../geo/processes';
import { context as identity } from '../identity/processes';
import type { ProcessContext } from '../kernel/context';
import { context as privacy } from '../privacy/processes';
import { context as workflow } from '../workflow/processes';

const ofEach: OfEachContext<ProcessContext> = {
  identity,
  privacy,
  platform: 'none',
  ratelimit: 'none',
  editor: 'none',
  geo,
  workflow,
};

const contexts = partsOf(ofEach);

export const processes = contexts.flatMap((context) => context.processes);
export const queues = contexts.flatMap((context) => context.queues);
export const backgrounds = contexts.flatMap(({ background }) => (background === undefined ? [] : [background]));
