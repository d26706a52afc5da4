/** The Java process of the local Elasticsearch: its arguments, and an archive of its classes that shortens its start. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../adapters/programs/run-program';

const maxHeap = '512m';
/** A third of the heap is filled before the first collection, and stays resident: a server with little to do need not have all of it. */
const initialHeap = '128m';
/** What the JVM does for its own sake four times a second, and each second, costs an idle server more than its work. */
const housekeeping = [
  '-XX:+IgnoreUnrecognizedVMOptions',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:AsyncDeflationInterval=10000',
  '-XX:GuaranteedSafepointInterval=60000',
];

/** Of a built server. */
interface Server {
  /** Where it was built. */
  readonly target: string;
  readonly data: string;
  readonly port: number;
}

const archiveIn = (target: string): string => join(target, 'classes.jsa');

const options = ({ target, data, port }: Server): readonly string[] => [
  `-Xms${initialHeap}`,
  `-Xmx${maxHeap}`,
  '-XX:+UseSerialGC',
  ...housekeeping,
  '-XX:TieredStopAtLevel=1',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:-UsePerfData',
  '-Dfile.encoding=UTF-8',
  `-Djava.io.tmpdir=${join(data, 'tmp')}`,
  '-cp',
  join(target, 'classpath', '*'),
  'septet.elastic.LocalElasticsearch',
  join(target, 'home'),
  data,
  String(port),
];

/** The JVM silently ignores an archive of another Java version. */
const withArchive = (target: string): readonly string[] =>
  existsSync(archiveIn(target)) ? [`-XX:SharedArchiveFile=${archiveIn(target)}`, '-Xlog:cds*=off'] : [];

export const javaArguments = (server: Server): readonly string[] => [...withArchive(server.target), ...options(server)];

/** Java maps an archived class instead of reading and verifying it, which halves the time of a start (JEP 350). */
export const archiveClasses = async (program: string, target: string, signal?: AbortSignal): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), 'septet-classes-'));
  const once = [...options({ target, data, port: 0 }), 'once'];
  await run({ program, arguments: [`-XX:ArchiveClassesAtExit=${archiveIn(target)}`, ...once], directory: '/', signal });
  rmSync(data, { recursive: true, force: true });
};
