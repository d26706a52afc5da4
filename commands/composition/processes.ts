/** The processes and work queues of all contexts. */
import { partsOf } from '../../domain/contexts';
import type { ContextProcesses } from '../../domain/kernel/aggregate';
import type { processes as declared } from '../../domain/processes';
import { context as files } from '../files/processes';
import { context as geo } from '../geo/processes';
import { context as identity } from '../identity/processes';
import type { ProcessContext } from '../kernel/context';
import { context as privacy } from '../privacy/processes';
import { context as video } from '../video/processes';
import { context as webhooks } from '../webhooks/processes';
import { context as workflow } from '../workflow/processes';

type Declared = typeof declared;
/** A context that declares processes brings a binding of each. */
type ProcessContexts = {
  readonly [Name in keyof Declared]: Declared[Name] extends ContextProcesses
    ? ProcessContext<Declared[Name]>
    : ProcessContext | 'none';
};

const ofEach: ProcessContexts = {
  identity,
  privacy,
  platform: 'none',
  ratelimit: 'none',
  editor: 'none',
  geo,
  files,
  workflow,
  video,
  webhooks,
};

const contexts = partsOf<ProcessContext>(ofEach);

export const processes = contexts.flatMap((context) => Object.values(context.processes));
export const queues = contexts.flatMap((context) => context.queues);
export const backgrounds = contexts.flatMap(({ background }) => (background === undefined ? [] : [background]));
