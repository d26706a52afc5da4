/** Privacy in the processes service: it erases keys there, too, so that no process keeps a forgotten one in memory. */
import type { ProcessContext } from '../kernel/context';
import { keepErasing } from './erase';

export const context: ProcessContext = { processes: [], workshops: [], background: keepErasing };
