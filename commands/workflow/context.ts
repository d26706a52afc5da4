/** Workflows on the write side: what the workflow service answers. The command API has no part in it. */
import { serviceContext } from '../kernel/context';
import { parts } from './parts';

export const context = serviceContext({ services: { workflow: () => parts.flatMap((part) => part.describe()) } });
