/** Of several tabs or processes with the same store one has what it names, until it lets go or dies. */
export type Release = () => void;

export interface Locks {
  /** Undefined: another one has it. */
  readonly take: (name: string) => Promise<Release | undefined>;
  /** As soon as nobody else has it; undefined once the signal is aborted. */
  readonly wait: (name: string, signal: AbortSignal) => Promise<Release | undefined>;
  /** Says something to all others that hear of the same topic. */
  readonly tell: (topic: string, word: string) => void;
  readonly hear: (topic: string, heard: (word: string) => void) => () => void;
}
