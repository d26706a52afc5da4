/**
 * Moves an installation to another log: copies every event, compares the two logs, and carries over what names positions. Until all of that is
 * done nothing changes but the other log, so a move that was stopped is run again, and the installation may go on with its log meanwhile.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { syncPath } from '../../../packages/data-directory/src/files';
import { describeProcess, lockDirectory } from '../../../packages/data-directory/src/index';
import { hasLog } from '../../../packages/eventstore-node/src/directory';
import { openLogAnchors } from '../../adapters/eventstore/log-anchors';
import { readLogIdentity } from '../../adapters/postgres/log-record';
import { makeTables } from '../../adapters/postgres/migrate';
import { openPool } from '../../adapters/postgres/pool';
import type { LogAnchor } from '../../ports/log-identity';
import { logAddress } from '../../server/log-identity/identify-log';
import type { Environment } from '../../server/runtime/config';
import { OperatorError } from '../launch/operator-error';
import { type LogPlace, openPostgresIn, readSettings } from './installation';
import { type CopiedLog, copyLogInto, readLog } from './parts/log-copy';
import { heldLeases, positionsIn, switchToLog } from './parts/positions-in-postgres';

export interface MoveOptions {
  readonly data: string;
  readonly env: Environment;
  /** Undefined: the log is gone, and processes go through the other one from its beginning. */
  readonly from: LogPlace | undefined;
  readonly to: LogPlace;
  readonly report: (step: string) => void;
}

export interface MovedLog {
  readonly events: number | null;
  readonly checkpoints: number;
  readonly timers: number;
  /** Where the log is now that was in the directory before. */
  readonly setAside: string | undefined;
}

/** What the log of a directory is called: its node takes another port at each start. */
const embedded = 'the embedded node';
const addressOf = (place: LogPlace): string => (place.kind === 'directory' ? embedded : logAddress(place.url));

const eventIdAt = async (place: LogPlace, position: bigint): Promise<string | undefined> => {
  if (place.kind === 'directory') {
    for await (const event of readLog(place, Number(position)))
      return event.position === Number(position) ? event.id : undefined;
    return undefined;
  }
  const anchors = openLogAnchors(place.url);
  try {
    const found = await anchors.eventAt(position);
    if (isLeft(found)) throw new OperatorError(`${logAddress(place.url)}: ${found.left.detail}`);
    return found.right;
  } finally {
    await anchors.close();
  }
};

const newestOf = async (place: LogPlace): Promise<LogAnchor | null> => {
  let newest: LogAnchor | null = null;
  for await (const { position, id } of readLog(place)) newest = { position: BigInt(position), eventId: id };
  return newest;
};

/** A move from another log than its own would give the installation positions of a third one. */
const requireOwnLog = async (pool: Pool, from: LogPlace): Promise<void> => {
  const known = await readLogIdentity(pool);
  const anchor = known?.anchor ?? undefined;
  if (anchor === undefined || (await eventIdAt(from, anchor.position)) === anchor.eventId) return;
  throw new OperatorError(
    `The log to move from (${addressOf(from)}) is not the one that this installation has followed, at ${known?.address}: it lacks the event ` +
      `${anchor.eventId} at position ${anchor.position}. Name that one with --from, or use --without-source if it is gone.`,
  );
};

const requireStopped = async (pool: Pool): Promise<void> => {
  const held = await heldLeases(pool);
  if (held.length > 0)
    throw new OperatorError(`Processes of this installation run (${held.join(', ')}): stop all of them first.`);
};

/** Events of an earlier attempt may be there, and no others: nothing is added to a log of others. */
const requireOwnCopy = async (from: LogPlace, to: LogPlace): Promise<void> => {
  const there = new Set<string>();
  for await (const { id, stream } of readLog(to)) there.add(`${id} ${stream.toString('latin1')}`);
  if (there.size === 0) return;
  for await (const { id, stream } of readLog(from)) there.delete(`${id} ${stream.toString('latin1')}`);
  if (there.size > 0)
    throw new OperatorError(
      `The event store at ${addressOf(to)} is in use: ${there.size} of its events are not of this log. Nothing is added to them.`,
    );
};

const copyNames = { building: 'eventstore-moving', aside: 'eventstore-before' };

/** Copied beside the directory's own log, which is then put aside. */
const copyIntoDirectory = async (
  to: Extract<LogPlace, { kind: 'directory' }>,
  copy: (to: LogPlace) => Promise<CopiedLog>,
): Promise<{ readonly copied: CopiedLog; readonly setAside: string | undefined }> => {
  const parent = dirname(to.path);
  const building = join(parent, copyNames.building);
  rmSync(building, { recursive: true, force: true });
  const copied = await copy({ kind: 'directory', path: building });
  const setAside = existsSync(to.path)
    ? join(parent, `${copyNames.aside}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
    : undefined;
  if (setAside !== undefined) renameSync(to.path, setAside);
  renameSync(building, to.path);
  syncPath(parent);
  return { copied, setAside };
};

const copyTo = async (pool: Pool, from: LogPlace, { to, report }: MoveOptions) => {
  report('checking the log');
  await requireOwnLog(pool, from);
  if (to.kind === 'server') await requireOwnCopy(from, to);
  const before = await positionsIn(pool);
  report('copying events');
  const progress = (events: number): void => {
    if (events % 100_000 === 0) report(`${events} events`);
  };
  const copy = (place: LogPlace) => copyLogInto({ from: readLog(from), to: place, ...before, progress });
  const made =
    to.kind === 'directory' ? await copyIntoDirectory(to, copy) : { copied: await copy(to), setAside: undefined };
  return { ...made, before };
};

const moveWith = async (pool: Pool, options: MoveOptions): Promise<MovedLog> => {
  const { from, to, report } = options;
  await makeTables(pool);
  await requireStopped(pool);
  const address = addressOf(to);
  if (from === undefined) {
    report('reading the log');
    const before = await positionsIn(pool);
    await switchToLog(pool, before, { address, copied: undefined, anchor: await newestOf(to) });
    return { events: null, checkpoints: 0, timers: 0, setAside: undefined };
  }
  const { copied, before, setAside } = await copyTo(pool, from, options);
  report('carrying over checkpoints and timers');
  await requireStopped(pool);
  await switchToLog(pool, before, { address, copied, anchor: copied.anchor });
  const { checkpoints, positions } = before;
  return { events: copied.events, checkpoints: checkpoints.length, timers: positions.length, setAside };
};

const samePlace = (one: LogPlace, other: LogPlace): boolean =>
  one.kind === 'directory' ? other.kind === 'directory' : other.kind === 'server' && one.url === other.url;

const checkPlaces = ({ from, to }: MoveOptions): void => {
  if (from !== undefined && samePlace(from, to)) throw new OperatorError(`The log is at ${addressOf(to)} already.`);
  const needed = from ?? to;
  if (needed.kind === 'directory' && !hasLog(needed.path))
    throw new OperatorError(`There is no event log in ${needed.path}.`);
};

/** The data directory is locked, so that nothing starts on it meanwhile. */
export const moveLog = async (options: MoveOptions): Promise<MovedLog> => {
  const { data, env } = options;
  checkPlaces(options);
  const settings = readSettings(env);
  if (settings.POSTGRES_URL === undefined && !existsSync(join(data, 'postgres')))
    throw new OperatorError('There is no Postgres here that names positions: export the log, and import it.');
  const lock = existsSync(data) ? lockDirectory(data, 'launcher') : undefined;
  if (lock !== undefined && isLeft(lock))
    throw new OperatorError(`${data} is in use by ${describeProcess(lock.left)}: stop Septet first.`);
  try {
    const server = await openPostgresIn(data, settings);
    const pool = openPool({ url: server.url, connections: 2, durable: true });
    try {
      return await moveWith(pool, options);
    } finally {
      await pool.end();
      await server.stop();
    }
  } finally {
    lock?.right.release();
  }
};
