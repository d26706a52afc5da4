/** Every process and every workshop of every context; a line each. */
import type { BoundProcess } from './kernel/react/bound';
import type { Workshop } from './kernel/react/worker';

export const processes: readonly BoundProcess[] = [];

export const workshops: readonly Workshop[] = [];
