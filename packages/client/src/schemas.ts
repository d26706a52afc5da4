/** `@septet/client/schemas`: what the served document names, also where the client itself has another use for a name. */
export type * from './generated/types';
