/** The context has no processes. */
import { noProcesses } from '../kernel/context';

export const context = noProcesses;
