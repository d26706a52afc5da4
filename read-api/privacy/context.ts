/** Erasures have no queries. */
import { noQueries } from '../kernel/context';

export const context = noQueries;
