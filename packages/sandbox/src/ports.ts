/** Runs programs of others: with the files that they are given, without network, within limits, and to their end. */
import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/Either';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';

/** `sandbox-unavailable`: the machine lacks what isolation needs, which the detail names. */
export type SandboxFault = Fault<'sandbox-unavailable'>;

/** `program-refused`: arguments, environment or directory that no program can be started with; the detail names it. */
export type ProgramRejection = Rejection<'program-refused'>;

export interface Sandboxes {
  /** Makes a sandbox with an empty working directory. */
  readonly prepare: (request: PrepareSandbox) => Promise<Either<SandboxFault, Sandbox>>;
  /** Destroys all sandboxes of this process. */
  readonly close: () => Promise<void>;
}

export interface PrepareSandbox {
  /** Files and directories of the machine that programs may read. */
  readonly inputs?: readonly SandboxInput[];
  /** `host`: programs reach what the machine reaches, its own loopback services included. */
  readonly network?: 'none' | 'host';
  readonly limits: SandboxLimits;
}

export interface SandboxInput {
  /** On the machine; absolute. */
  readonly source: string;
  /** Inside; absolute. */
  readonly target: string;
}

/** Of each program and all of its descendants together, unless a field states otherwise. */
export interface SandboxLimits {
  /** Resident memory. A single process gets an allocation failure at this size; the sum above it ends the program. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Processes and threads at once; more cannot be started. */
  readonly processes: number;
  /** Of one process. */
  readonly openFiles: number;
  /**
   * What may lie in the working directory and in `/tmp`, of all programs of the sandbox; each entry counts 1 KiB more than its
   * content. A tree that cannot be listed exceeds every limit.
   */
  readonly diskBytes: number;
  /** Of standard output and standard error. */
  readonly outputBytes: number;
}

export interface Sandbox {
  /**
   * On the machine: what is put here is `/work` inside, and results are read from here. Programs leave links to files of the
   * machine and pipes that block: open with O_NOFOLLOW and O_NONBLOCK, and read regular files only.
   */
  readonly directory: string;
  /** Starts a program. One after another or at once; each sees only its own processes. */
  readonly exec: (request: ExecRequest) => Promise<Either<SandboxFault | ProgramRejection, SandboxedProgram>>;
  /** Ends all programs with their descendants and removes the working directory. */
  readonly destroy: () => Promise<void>;
}

export interface ExecRequest {
  /** The program and its arguments; found by PATH inside. 96 KiB each and 1 MiB together with the environment; no NUL. */
  readonly argv: readonly string[];
  /** Added to PATH, HOME, TMPDIR, LANG and USER. Nothing of this process's environment is passed on. */
  readonly environment?: { readonly [name: string]: string };
  /** Inside; `/work` by default. */
  readonly directory?: string;
  readonly stdin?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** 0 to 19: the program yields the processor to others. */
  readonly niceness?: number;
}

export interface SandboxedProgram {
  /** To be read, or the program waits. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Sent to every process of the program. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when the program and all of its descendants have ended. */
  readonly ended: Promise<ProgramEnd>;
}

export type ExceededLimit = 'memory' | 'cpu-time' | 'wall-time' | 'disk' | 'output';

export type ProgramEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'limit'; readonly limit: ExceededLimit }
  | { readonly kind: 'destroyed' };
