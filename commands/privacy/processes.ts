/** Privacy in the processes service: it erases keys there, too, so that no process keeps a forgotten one in memory. */
import type { ProcessContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';

export const context: ProcessContext = { processes: [], workshops: [], background: runKeyErasure };
