/** Icons of the player. */
const paths = {
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  restart: 'M5 12a7 7 0 1 0 2.3-5.2M5 4.5v3.8h3.8',
  back: 'M11 7l-5 5 5 5M18 7l-5 5 5 5',
  forward: 'M13 7l5 5-5 5M6 7l5 5-5 5',
  loud: 'M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11',
  muted: 'M4 9.5v5h3.5L12 18V6L7.5 9.5zM16 10l4.5 4.5M20.5 10L16 14.5',
  full: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  small: 'M9 4.5V9H4.5M19.5 9H15V4.5M15 19.5V15h4.5M4.5 15H9v4.5',
} as const;

type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={name === 'play' ? 'solid' : ''} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  readonly onPress: () => void;
}

export const PlayerButton = ({ icon, label, keys, onPress }: IconButtonProps) => (
  <button
    type="button"
    class="player-button"
    data-tooltip={keys === undefined ? label : `${label} (${keys})`}
    aria-keyshortcuts={keys}
    onClick={onPress}
  >
    <Icon name={icon} />
    <span class="hidden-text">{label}</span>
  </button>
);
