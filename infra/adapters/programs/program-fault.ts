/** Why a program that this machine lacks could not be installed. */
/** Fixed messages; what varies is in the fields. */
export type Progress = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

export interface ProgramFault {
  /** `missing`: this machine lacks what the program needs. */
  readonly kind: 'missing' | 'cancelled';
  /** Sentences in our own words, also for callers: what is missing, and how to get it. */
  readonly detail: string;
  /** What another program printed about it: for logs only. */
  readonly cause?: string;
}

export const missing = (detail: string, cause?: string): ProgramFault => ({
  kind: 'missing',
  detail,
  ...(cause === undefined ? {} : { cause }),
});

export const cancelled: ProgramFault = { kind: 'cancelled', detail: 'Its start was canceled.' };

export interface InstallOptions {
  /** Directory of downloaded programs. */
  readonly tools: string;
  readonly progress: Progress;
  /** Gives the installation up. */
  readonly signal?: AbortSignal;
}
