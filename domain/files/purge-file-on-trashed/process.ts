/** A file that was in the trash for thirty days is deleted for ever; one that was restored is not. When a hold is lifted, the days begin again. */
import { plusSeconds } from '../../kernel/instant';
import { type Action, cancel, policy, type Send, schedule, send } from '../../kernel/process';
import type { FileAccessCommand } from '../access/commands';
import { type FileAccessEvent, fileAccess } from '../access/events';
import type { FileId } from '../ids';
import { fileLimits } from '../limits';

type SendPurge = Send<'files.access', FileAccessCommand>;

const key = 'retention';

/** The file whose days in the trash begin, or end early. */
const changedFile = ({
  type,
  data,
}: FileAccessEvent): { readonly fileId: FileId; readonly isRestored: boolean } | undefined => {
  if (type === 'FileReleased') return { fileId: data.fileId, isRestored: false };
  if (type !== 'FileHidden' && type !== 'FileRevealed') return undefined;
  return data.reason === 'trashed' ? { fileId: data.fileId, isRestored: type === 'FileRevealed' } : undefined;
};

export const purgeFileOnTrashed = policy<FileAccessEvent, SendPurge>({
  name: 'purge-file-on-trashed',
  context: 'files',
  subscribes: [fileAccess],
  startFrom: 'first-event',
  key: ({ event }) => changedFile(event)?.fileId,
  answer: ({ event, at }): readonly Action<SendPurge>[] => {
    const changed = changedFile(event);
    if (changed === undefined) return [];
    const { fileId, isRestored } = changed;
    if (isRestored) return [cancel(key)];
    const until = plusSeconds(at, fileLimits.trashDays * 86_400);
    // A file that is not in the trash by then, or is held, stays.
    return [schedule(key, until, send('files.access', 'workspace', { type: 'PurgeFile', fileId, cause: 'retention' }))];
  },
});
