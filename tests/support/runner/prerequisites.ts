/** What tests need that a machine may lack. A test that declares it is skipped there, with a reason that the runner lists at the end. */
import { chmodSync, existsSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { onPath } from '../../../packages/sandbox/src/on-path';
import { openSandboxes } from '../../../packages/sandbox/src/open-sandboxes';
import { chromiumPath, noChromium } from '../browser/chromium';
import { temporaryDirectory } from '../files/temporary-directory';
import { noS3, s3ServerPath } from '../servers/s3-server';
import { hasPkcs11Module, softHsmModule } from '../servers/soft-hsm';
import { MissingPrerequisite } from './missing-prerequisite';

export interface Prerequisite {
  /** Which tests are skipped, and why. */
  readonly reason: string;
  readonly isMissing: () => boolean | Promise<boolean>;
  /** How to get it. */
  readonly install: string;
  /** Programs that only a test which declares this may start. Of what the product itself looks for at each start: none. */
  readonly programs: readonly string[];
}

const isProgramMissing = (program: string) => (): boolean => onPath(program) === undefined;

/** Uses the product's own check: bubblewrap alone is not enough, as containers often forbid user namespaces. */
const cannotIsolate = async (): Promise<boolean> => {
  const directory = temporaryDirectory('isolation');
  // Programs run as other users when the tests run as root.
  chmodSync(directory.path, 0o711);
  const opened = await openSandboxes({ directory: directory.path });
  if (!isLeft(opened)) await opened.right.sandboxes.close();
  directory.remove();
  return isLeft(opened);
};

export const prerequisites = {
  chromium: {
    reason: noChromium,
    isMissing: () => chromiumPath() === undefined,
    install: 'apt-get install chromium-headless-shell, or set CHROMIUM',
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  },
  isolation: {
    reason: 'sandboxes: programs cannot be isolated here',
    isMissing: cannotIsolate,
    install: 'apt-get install bubblewrap util-linux, and allow user namespaces',
    programs: [],
  },
  git: {
    reason: 'repositories: git is not installed',
    isMissing: isProgramMissing('git'),
    install: 'apt-get install git',
    programs: ['git'],
  },
  bash: {
    reason: 'steps of jobs and commands of documents: bash is not installed',
    isMissing: isProgramMissing('bash'),
    install: 'apt-get install bash',
    programs: ['bash'],
  },
  curl: {
    reason: 'commands of documents: curl is not installed',
    isMissing: isProgramMissing('curl'),
    install: 'apt-get install curl',
    programs: ['curl'],
  },
  npm: {
    reason: 'packages as others install them: npm is not on the PATH',
    isMissing: isProgramMissing('npm'),
    install: 'it comes with Node',
    programs: ['npm'],
  },
  python: {
    reason: 'programs in Python: python3 is not installed',
    isMissing: isProgramMissing('python3'),
    install: 'apt-get install python3',
    // The launcher fetches Valkey with it.
    programs: [],
  },
  tar: {
    reason: 'archives: tar is not installed',
    isMissing: isProgramMissing('tar'),
    install: 'apt-get install tar',
    programs: ['tar'],
  },
  pdftotext: {
    reason: 'text of PDF: poppler-utils is not installed',
    isMissing: () => onPath('pdftotext') === undefined || onPath('pdfinfo') === undefined,
    install: 'apt-get install poppler-utils',
    programs: [],
  },
  openssl: {
    reason: 'client certificates: openssl is not installed',
    isMissing: isProgramMissing('openssl'),
    install: 'apt-get install openssl',
    programs: ['openssl'],
  },
  compiler: {
    reason: 'held flushes: there is no C compiler (gcc)',
    isMissing: isProgramMissing('cc'),
    install: 'apt-get install gcc',
    programs: ['cc'],
  },
  device: {
    reason: 'keys in a device: SoftHSM or pkcs11js is not installed',
    isMissing: () => softHsmModule() === undefined || !hasPkcs11Module() || onPath('softhsm2-util') === undefined,
    install: 'apt-get install softhsm2, and make g++ python3 before npm ci',
    programs: ['softhsm2-util'],
  },
  bucket: {
    reason: noS3,
    isMissing: () => process.env.S3_ENDPOINT === undefined && !existsSync(s3ServerPath),
    install: 'install Go 1.24 or later, or set S3_ENDPOINT',
    programs: ['go', 'versitygw'],
  },
  mount: {
    reason: 'full disks: file systems cannot be mounted here',
    isMissing: () => process.getuid?.() !== 0 || onPath('mount') === undefined,
    install: 'run the tests as root in a container that may mount',
    programs: ['mount', 'umount'],
  },
  pdftoppm: {
    reason: 'pages of scans, turned pictures: pdftoppm is not installed',
    isMissing: isProgramMissing('pdftoppm'),
    install: 'apt-get install poppler-utils',
    programs: ['pdftoppm'],
  },
  tesseract: {
    reason: 'text in pictures: tesseract is not installed',
    isMissing: isProgramMissing('tesseract'),
    install: 'apt-get install tesseract-ocr',
    programs: ['tesseract'],
  },
  ffmpeg: {
    reason: 'sound and films: ffmpeg is not installed',
    isMissing: () => onPath('ffmpeg') === undefined || onPath('ffprobe') === undefined,
    install: 'apt-get install ffmpeg',
    programs: ['ffmpeg', 'ffprobe'],
  },
} as const satisfies Readonly<Record<string, Prerequisite>>;

export type PrerequisiteName = keyof typeof prerequisites;

const looked = new Map<PrerequisiteName, Promise<boolean>>();

/** Looked for once by each process. */
export const isMissing = (name: PrerequisiteName): Promise<boolean> => {
  const known = looked.get(name) ?? Promise.resolve(prerequisites[name].isMissing());
  looked.set(name, known);
  return known;
};

const declared = new Set<PrerequisiteName>();

/** For helpers that start such a program, and skip by what it answers. */
export const declarePrerequisite = (name: PrerequisiteName): void => void declared.add(name);

/** Also in a hook or a test, for what only that one needs. */
export const requirePrerequisites = async (...names: readonly PrerequisiteName[]): Promise<void> => {
  for (const name of names) declared.add(name);
  for (const name of names) if (await isMissing(name)) throw new MissingPrerequisite(prerequisites[name].reason);
};

/** For what a test uses where it is there, and can do without. */
export const hasPrerequisite = async (name: PrerequisiteName): Promise<boolean> => {
  declared.add(name);
  return !(await isMissing(name));
};

/** Declares what the `describe` that calls it needs, or outside of one, the file. Stands before its other hooks. */
export const needs = (...names: readonly PrerequisiteName[]): void => {
  for (const name of names) declared.add(name);
  before('prerequisites', () => requirePrerequisites(...names));
};

/** What the file declared since the last call. */
export const takeDeclared = (): readonly PrerequisiteName[] => {
  const taken = [...declared];
  declared.clear();
  return taken;
};
