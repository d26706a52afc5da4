/** Names this copy of a service to operators, as `<host>:<process id>`. */
import { hostname } from 'node:os';

export const copyName = (): string => `${hostname()}:${process.pid}`;
