/**
 * A seccomp filter (classic BPF, linux/seccomp.h) that refuses system calls which allocate memory outside of a process, or
 * reach parts of the kernel that programs of others have no use for. Refused calls fail with ENOSYS, so programs fall back.
 */

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfGreaterOrEqual = 0x35;
const answer = 0x06;

const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const failWithEnosys = 0x0005_0000 | 38;

/** Offsets in `struct seccomp_data`. */
const callNumber = 0;
const architecture = 4;

interface Machine {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  readonly calls: readonly number[];
}

/**
 * System V shared memory, queues and semaphores; keyrings; bpf; perf_event_open; userfaultfd; io_uring; kexec; modules;
 * open_by_handle_at; memfd_create and memfd_secret, whose files can be sent into a socket, where `/proc` shows them nowhere;
 * personality with other address spaces is left to the kernel.
 */
const machines: { readonly [arch: string]: Machine } = {
  x64: {
    audit: 0xc000_003e,
    calls: [29, 64, 68, 175, 246, 248, 249, 250, 298, 304, 313, 319, 320, 321, 323, 425, 426, 427, 447],
  },
  arm64: {
    audit: 0xc000_00b7,
    calls: [104, 105, 186, 190, 194, 217, 218, 219, 241, 265, 273, 279, 280, 282, 294, 425, 426, 427, 447],
  },
};

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** Instructions to skip if the comparison holds. */
  readonly skip?: number;
}

const encode = (instructions: readonly Instruction[]): Buffer => {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, value, skip = 0 }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(skip, index * 8 + 2);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
};

/** Calls of the x32 interface have this bit; the filter would not know their numbers. */
const x32Bit = 0x4000_0000;

/** Undefined for a processor whose numbers we do not know. */
export const seccompFilter = (arch: string = process.arch): Buffer | undefined => {
  const machine = machines[arch];
  if (machine === undefined) return undefined;
  const { audit, calls } = machine;
  return encode([
    { code: load, value: architecture },
    { code: jumpIfEqual, value: audit, skip: 1 },
    { code: answer, value: kill },
    { code: load, value: callNumber },
    { code: jumpIfGreaterOrEqual, value: x32Bit, skip: calls.length + 1 },
    ...calls.map((value, index) => ({ code: jumpIfEqual, value, skip: calls.length - index })),
    { code: answer, value: allow },
    { code: answer, value: failWithEnosys },
  ]);
};
