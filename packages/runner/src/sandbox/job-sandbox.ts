/** Where a job's programs run: one sandbox for all of its steps. */
import type { Either } from 'fp-ts/Either';
import type { ExecRequest, ProgramRejection, SandboxedProgram, SandboxFault } from '../../../sandbox/src/ports';

export interface JobSandboxes {
  readonly isolation: 'bwrap' | 'none';
  readonly prepare: () => Promise<Either<SandboxFault, JobSandbox>>;
  readonly close: () => Promise<void>;
}

export interface JobSandbox {
  /** On the machine. Programs cannot replace it, but everything in it is theirs. */
  readonly directory: string;
  /** The same directory, as programs name it. */
  readonly inside: string;
  /** PATH of programs. */
  readonly searchPath: string;
  /** The user that files for programs must belong to, if it is another than this process's. */
  readonly owner: number | undefined;
  readonly exec: (request: ExecRequest) => Promise<Either<SandboxFault | ProgramRejection, SandboxedProgram>>;
  /** Ends all programs with their descendants, and removes the directory. Again without effect. */
  readonly destroy: () => Promise<void>;
}

/** What a job may use of the machine. */
export interface JobLimits {
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly processes: number;
  readonly openFiles: number;
}
