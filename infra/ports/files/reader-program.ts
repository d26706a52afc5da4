/** The program that reads documents in sandboxes. */
export interface ReaderProgram {
  /** The first is CommonJS for Node, which runs it; the others are what it loads, from its own directory. */
  readonly files: readonly [ProgramFile, ...ProgramFile[]];
  /** Node on this machine, which the sandbox is given; undefined: the one on its own PATH. */
  readonly node: string | undefined;
  readonly close: () => Promise<void>;
}

interface ProgramFile {
  readonly name: string;
  readonly content: Buffer;
}
