/** Nothing is asked about erasures. */
import { noQueries } from '../kernel/context';

export const context = noQueries;
