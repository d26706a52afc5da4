/** Buttons and lists below the picture. */

import type { VideoSubtitleTrack } from '../../../../../packages/client/src/schemas';
import { clockText } from '../clock-text';
import { automatic } from '../engine/engine';
import type { Captions } from '../use-captions';
import type { FilmEngine } from '../use-engine';
import type { MediaSnapshot } from '../use-media';
import type { PlayerActions } from '../use-player-keys';
import { PlayerChoice } from './choice';
import { PlayerButton } from './icon';

const rates = ['0.5', '0.75', '1', '1.25', '1.5', '1.75', '2'].map((value) => ({ value, text: `${value}×` }));

interface Props {
  readonly media: MediaSnapshot;
  readonly actions: PlayerActions;
  readonly engine: Pick<FilmEngine, 'qualities' | 'quality' | 'chosenQuality' | 'choose'>;
  readonly captions: Captions;
  readonly tracks: readonly VideoSubtitleTrack[];
  readonly isFull: boolean;
  readonly setRate: (rate: number) => void;
  readonly setVolume: (volume: number) => void;
}

const PlayButton = ({
  media: { isPaused, isEnded },
  toggle,
}: Pick<Props, 'media'> & { readonly toggle: () => void }) => {
  if (isEnded) return <PlayerButton icon="restart" label="Play again" keys="k" onPress={toggle} />;
  return isPaused ? (
    <PlayerButton icon="play" label="Play" keys="k" onPress={toggle} />
  ) : (
    <PlayerButton icon="pause" label="Pause" keys="k" onPress={toggle} />
  );
};

const Volume = ({ media: { volume, isMuted }, actions, setVolume }: Pick<Props, 'media' | 'actions' | 'setVolume'>) => (
  <div class="player-volume">
    <PlayerButton
      icon={isMuted || volume === 0 ? 'muted' : 'loud'}
      label={isMuted ? 'Sound on' : 'Sound off'}
      keys="m"
      onPress={actions.toggleMute}
    />
    <input
      type="range"
      min={0}
      max={1}
      step={0.05}
      value={isMuted ? 0 : volume}
      aria-label="Volume"
      aria-valuetext={isMuted ? 'off' : `${Math.round(volume * 100)} %`}
      onInput={({ currentTarget }) => setVolume(currentTarget.valueAsNumber)}
    />
  </div>
);

const QualityChoice = ({ engine: { qualities, quality, chosenQuality, choose } }: Pick<Props, 'engine'>) => {
  if (qualities.length === 0) return null;
  const current = quality === '' ? 'Auto' : `Auto (${quality})`;
  const options = [
    { value: automatic, text: chosenQuality === automatic ? current : 'Auto' },
    ...qualities.toReversed().map((name) => ({ value: name, text: name })),
  ];
  return <PlayerChoice label="Quality" value={chosenQuality} options={options} onChange={choose} />;
};

const CaptionChoice = ({ captions: { chosen, choose }, tracks }: Pick<Props, 'captions' | 'tracks'>) => {
  if (tracks.length === 0) return null;
  const options = [
    { value: '', text: 'Off' },
    ...tracks.map(({ label, isRecognized }, index) => ({
      value: String(index),
      text: isRecognized ? `${label} (recognized)` : label,
    })),
  ];
  return <PlayerChoice label="Captions" value={chosen} options={options} onChange={choose} />;
};

export const ControlBar = (props: Props) => {
  const { media, actions, isFull, setRate } = props;
  return (
    <div class="player-bar">
      <PlayButton media={media} toggle={actions.toggle} />
      <PlayerButton icon="back" label="Back 10 seconds" keys="j" onPress={() => actions.skip(-10)} />
      <PlayerButton icon="forward" label="Forward 10 seconds" keys="l" onPress={() => actions.skip(10)} />
      <Volume {...props} />
      <span class="player-time">
        {clockText(media.seconds)} <span>/ {clockText(media.duration)}</span>
      </span>
      <div class="player-choices">
        <CaptionChoice {...props} />
        <PlayerChoice
          label="Speed"
          value={String(media.rate)}
          options={rates}
          onChange={(value) => setRate(Number(value))}
        />
        <QualityChoice {...props} />
      </div>
      <PlayerButton
        icon={isFull ? 'small' : 'full'}
        label={isFull ? 'Leave full screen' : 'Full screen'}
        keys="f"
        onPress={actions.toggleFull}
      />
    </div>
  );
};
