/** Users of sandboxes, of this and other processes of the machine: no two sandboxes that are open at once share one. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { tasksOfUser } from './usage';

export interface ReservedUser {
  readonly uid: number;
  readonly release: () => Promise<void>;
}

/** Users that no account has: 65,536 of them. */
const firstUser = 1_879_048_192;
const drawUser = (): number => firstUser + randomBytes(2).readUInt16BE();

const maxAttempts = 200;

/** A name in the kernel's abstract namespace of sockets: one process has it at a time, and loses it when it ends, however it ends. */
const reserve = (uid: number): Promise<ReservedUser | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    const release = () => new Promise<void>((closed) => server.close(() => closed()));
    server.once('error', () => resolve(undefined));
    server.listen(`\0septet-sandbox-user-${uid}`, () => resolve({ uid, release }));
    server.unref();
  });

/** Undefined: no free user was found. */
export const reserveUser = async (draw: () => number = drawUser): Promise<ReservedUser | undefined> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const reserved = await reserve(draw());
    if (reserved === undefined) continue;
    // Programs of a service that was killed end a moment after it.
    if ((await tasksOfUser(reserved.uid)) === 0) return reserved;
    await reserved.release();
  }
  return undefined;
};

export interface SandboxUsers {
  /** Undefined: no free user was found. */
  readonly assign: () => Promise<ReservedUser | undefined>;
  readonly close: () => Promise<void>;
}

/** Enough for sandboxes that follow each other. */
const maxIdleUsers = 8;

/**
 * Users stay reserved for the next sandbox: that a new one runs nothing takes a look at every process of the machine. One that is released runs nothing, for the
 * kernel has ended all processes of its sandbox.
 */
export const openSandboxUsers = (): SandboxUsers => {
  const idle: ReservedUser[] = [];
  let isOpen = true;
  return {
    assign: async () => {
      const reserved = idle.pop() ?? (await reserveUser());
      if (reserved === undefined) return undefined;
      const release = async (): Promise<void> => {
        if (isOpen && idle.length < maxIdleUsers) idle.push(reserved);
        else await reserved.release();
      };
      return { uid: reserved.uid, release };
    },
    close: async () => {
      isOpen = false;
      await Promise.all(idle.splice(0).map((user) => user.release()));
    },
  };
};
