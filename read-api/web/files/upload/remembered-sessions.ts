/** Sessions of uploads that this browser has begun, by file and target: the same file, chosen again, continues where it broke off. */

interface RememberedSession {
  readonly fileId: string;
  readonly versionId: string;
  readonly isInParts: boolean;
}

interface Entry extends RememberedSession {
  readonly key: string;
}

const storageKey = 'files being uploaded';
/** The oldest are forgotten; the server ends sessions after a day. */
const maxEntries = 200;

const entries = (): readonly Entry[] => {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]') as readonly Entry[];
  } catch {
    return [];
  }
};

const store = (all: readonly Entry[]): void => {
  try {
    localStorage.setItem(storageKey, JSON.stringify(all.slice(-maxEntries)));
  } catch {
    // Storage is disabled: an upload that is interrupted begins again.
  }
};

export const rememberedSession = (key: string): RememberedSession | undefined =>
  entries().find((entry) => entry.key === key);

/** Whether an upload to the file was begun, and not finished. */
export const isRemembered = (fileId: string): boolean => entries().some((entry) => entry.fileId === fileId);

export const forgetSession = (key: string): void => store(entries().filter((entry) => entry.key !== key));

export const rememberSession = (key: string, { fileId, versionId, isInParts }: RememberedSession): void =>
  store([...entries().filter((entry) => entry.key !== key), { key, fileId, versionId, isInParts }]);
