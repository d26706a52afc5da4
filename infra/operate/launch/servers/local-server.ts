/** A server that the launcher runs on this machine, and why it could not. */
import type { InstallOptions, ProgramFault } from '../../../adapters/programs/program-fault';

/** Its signal gives the start up. */
export interface StartOptions extends InstallOptions {
  /** Everything the server keeps lies under it. */
  readonly directory: string;
  /** Undefined: any free one. */
  readonly port?: number;
  /** Settings of the server beside our own, under its own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with the address once the server's process runs, long before it answers. */
  readonly begun?: (url: string) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface LocalServer {
  readonly name: string;
  /** With the password, where there is one. */
  readonly url: string;
  readonly pid: number;
  /** Gracefully, then by force. */
  readonly stop: () => Promise<void>;
  readonly exited: Promise<Exit>;
}

export interface ServerFault extends Omit<ProgramFault, 'kind'> {
  /** `broken`: its process ended at its start. */
  readonly kind: ProgramFault['kind'] | 'broken';
}

export interface UnavailableServer extends ServerFault {
  readonly name: string;
}
