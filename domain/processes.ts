/** The processes of every context. A context that is missing here does not compile, nor does one whose write side does not bind them. */
import type { OfEachContext } from './contexts';
import { processes as files } from './files/processes';
import { processes as geo } from './geo/processes';
import { processes as identity } from './identity/processes';
import type { ContextProcesses } from './kernel/aggregate';
import { processes as video } from './video/processes';
import { processes as webhooks } from './webhooks/processes';
import { processes as workflow } from './workflow/processes';

export const processes = {
  identity,
  privacy: 'none',
  platform: 'none',
  ratelimit: 'none',
  editor: 'none',
  geo,
  workflow,
  files,
  video,
  webhooks,
} as const satisfies OfEachContext<ContextProcesses>;
