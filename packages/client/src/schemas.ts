/** `@septet/client/schemas`: all schemas of the served document, also those whose names the client uses for something else. */
export type * from './generated/types';
