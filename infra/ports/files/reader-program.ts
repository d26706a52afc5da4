/** The program that reads documents in sandboxes. */
export interface ReaderProgram {
  /** CommonJS, for Node. */
  readonly script: Buffer;
  /** Node on this machine, which the sandbox is given; undefined: the one on its own PATH. */
  readonly node: string | undefined;
}
