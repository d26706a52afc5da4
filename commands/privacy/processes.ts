/** Key erasure in the processes service and in workers, whose caches must drop erased keys, too. */
import type { ProcessContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';

export const context: ProcessContext = { processes: {}, queues: [], background: runKeyErasure };
