/** A server that the launcher runs on this machine, and why it could not. */
/** Fixed messages; what varies is in the fields. */
export type Progress = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

export interface StartOptions {
  /** Everything the server keeps lies under it. */
  readonly directory: string;
  /** Directory of downloaded programs. */
  readonly tools: string;
  readonly progress: Progress;
  /** Undefined: any free one. */
  readonly port?: number;
  /** Settings of the server beside our own, under its own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
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

export interface ServerFault {
  /** `missing`: this machine lacks what the server needs. `broken`: its process ended at its start. */
  readonly kind: 'missing' | 'broken' | 'cancelled';
  /** Sentences in our own words, also for callers: what is missing, and how to get it. */
  readonly detail: string;
  /** What another program printed about it: for the launcher's log only. */
  readonly cause?: string;
}

export const missing = (detail: string, cause?: string): ServerFault => ({
  kind: 'missing',
  detail,
  ...(cause === undefined ? {} : { cause }),
});

export const cancelled: ServerFault = { kind: 'cancelled', detail: 'Its start was canceled.' };

export interface UnavailableServer extends ServerFault {
  readonly name: string;
}
