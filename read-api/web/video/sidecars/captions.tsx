/** Captions of a video: what players show, files that are added, and English speech that is recognized. */
import { useEffect, useState } from 'preact/hooks';
import {
  addVideoCaptions,
  listVideoCaptions,
  recognizeVideoSpeech,
  removeVideoCaptions,
} from '../../../../packages/client/src/operations';
import type { ListedVideoCaptions, Video, VideoCaptions } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { FileField } from './file-field';
import { readCaptionFile } from './read-caption-file';

const origins: Readonly<Record<ListedVideoCaptions['origin'], string>> = {
  source: 'from the film',
  added: 'added',
  recognized: 'recognized',
};

const columnsOf = (
  remove: ((track: ListedVideoCaptions) => void) | undefined,
): readonly Column<ListedVideoCaptions>[] => [
  {
    title: 'Captions',
    show: ({ label, language, origin }) => (
      <>
        {label} <span class="faint">{language}</span>{' '}
        <StatusBadge tone={origin === 'recognized' ? 'warn' : 'plain'}>{origins[origin]}</StatusBadge>
      </>
    ),
  },
  {
    title: 'Actions',
    kind: 'tight',
    show: (track) => (
      <div class="actions">
        {track.url !== null && (
          <a class="button small" href={track.url} download={`${track.language}.vtt`}>
            Download<span class="hidden-text"> {track.label}</span>
          </a>
        )}
        {remove !== undefined && (
          <RowButton label="Remove" what={track.label} isDangerous onPress={() => remove(track)} />
        )}
      </div>
    ),
  },
];

const commonLanguages = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-BR', 'tr', 'uk', 'zh'];

const AddForm = ({ videoId, onDone }: { readonly videoId: string; readonly onDone: () => void }) => {
  const send = useCommand();
  const [language, setLanguage] = useState('');
  const [label, setLabel] = useState('');
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (file === undefined || isBusy) return;
    setBusy(true);
    const named = label.trim() === '' ? {} : { label: label.trim() };
    const body = { content: await readCaptionFile(file), ...named };
    const answer = await send(addVideoCaptions({ videoId, language: language.trim(), body }));
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    setLanguage('');
    setLabel('');
    setFile(undefined);
    showToast('Players show the captions from now on.');
    onDone();
  };
  return (
    <form class="form" aria-label="Add captions" onSubmit={(event) => void submit(event)}>
      <FileField
        label="File"
        accept=".srt,.vtt,text/vtt,application/x-subrip"
        help="SRT or WebVTT. Text and times are kept; fonts, colors and positions are dropped."
        file={file}
        onChoose={setFile}
      />
      <TextField
        label="Language"
        help="Its code, as en, de or pt-BR. Captions of the language that are there are replaced."
        value={language}
        onType={setLanguage}
        maxLength={35}
        suggestions={commonLanguages}
        isRequired
      />
      <TextField
        label="Name in the player"
        help="Left out, that of the language."
        value={label}
        onType={setLabel}
        maxLength={100}
      />
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class="button primary" disabled={file === undefined || isBusy}>
          Add captions
        </button>
      </div>
    </form>
  );
};

interface RecognitionProps {
  readonly video: Video;
  readonly captions: VideoCaptions;
  readonly onDone: () => void;
}

/** Only where there is something to recognize, and nothing that a person wrote. */
const Recognition = ({ video: { videoId, status }, captions, onDone }: RecognitionProps) => {
  const send = useCommand();
  const [problem, setProblem] = useState<Problem>();
  const { items, recognition } = captions;
  const { state, reason } = recognition;
  const request = async (): Promise<void> => {
    const answer = await send(recognizeVideoSpeech({ videoId }));
    setProblem(answer.ok ? undefined : answer.problem);
    onDone();
  };
  if (state === 'pending')
    return (
      <p class="notice" role="status">
        Speech is being recognized, after everything else that the workers do. {reason ?? ''}
      </p>
    );
  if (status !== 'ready' || !captions.hasSound || items.some(({ language }) => language === 'en')) return null;
  return (
    <div class="speech-recognition">
      {state === 'failed' && <p class="notice warn">{reason}</p>}
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <p class="help">
        Speech can be recognized by a machine, in English alone. Players mark such captions as recognized.
      </p>
      <button type="button" class="button" onClick={() => void request()}>
        Recognize English speech
      </button>
    </div>
  );
};

const everyMilliseconds = 5_000;

export const VideoCaptionTracks = ({ video }: { readonly video: Video }) => {
  const { videoId } = video;
  const [isPending, setPending] = useState(false);
  const captions = useResource(listVideoCaptions({ videoId }), isPending ? { everyMilliseconds } : {});
  const isWaiting = captions.content?.recognition.state === 'pending';
  useEffect(() => setPending(isWaiting), [isWaiting]);
  const [removed, setRemoved] = useState<ListedVideoCaptions>();
  const send = useCommand();
  const mayWrite = hasScope('videos:write');
  const remove = async ({ language }: ListedVideoCaptions) => {
    const answer = await send(removeVideoCaptions({ videoId, language }));
    if (!answer.ok) return answer.problem;
    captions.reload();
    return undefined;
  };
  return (
    <section class="section" aria-label="Captions">
      <h2>Captions</h2>
      <AsyncContent source={captions} rows={2}>
        {(found) => (
          <>
            {found.items.length === 0 ? (
              <p class="help">It has no captions.</p>
            ) : (
              <Table
                label="Captions"
                rows={found.items}
                columns={columnsOf(mayWrite ? setRemoved : undefined)}
                keyOf={({ language, url, label }) => `${language} ${url ?? label}`}
              />
            )}
            {mayWrite && <Recognition {...{ video, captions: found }} onDone={captions.reload} />}
          </>
        )}
      </AsyncContent>
      {mayWrite && (
        <details class="more-settings">
          <summary>Add captions</summary>
          <AddForm videoId={videoId} onDone={captions.reload} />
        </details>
      )}
      {removed !== undefined && (
        <ConfirmDialog
          title={`Remove ${removed.label}?`}
          act="Remove"
          isDangerous
          success="The captions were removed."
          onAct={() => remove(removed)}
          close={() => setRemoved(undefined)}
        >
          <p>Players no longer show captions in this language. They can be added again from a file.</p>
        </ConfirmDialog>
      )}
    </section>
  );
};
