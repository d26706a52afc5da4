/** The processes and work queues of all contexts. */
import { contextModules } from '../../infra/context-modules';
import type { ProcessContext } from '../kernel/context';

const contexts = contextModules<ProcessContext>('commands', 'processes');

export const processes = contexts.flatMap((context) => context.processes);
export const queues = contexts.flatMap((context) => context.queues);
export const backgrounds = contexts.flatMap(({ background }) => (background === undefined ? [] : [background]));
