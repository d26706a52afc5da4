/** The end of the sidebar, in sight at any height: who is signed in, the theme, the keyboard shortcuts, and the way out. */
import { useState } from 'preact/hooks';
import { ProblemMessage } from '../components/problem-message';
import type { Problem } from '../kernel/problem';
import { isPerson, signOut, type Who } from '../kernel/session';
import { nextTheme, theme } from '../kernel/theme';
import { useName } from '../references/reference';

const themeNames = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

const paths = {
  system: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  keys: 'M2.5 6h19v12.5h-19zM6.5 10h.01M10 10h.01M14 10h.01M17.5 10h.01M8 14.5h8',
  leave: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
} as const;

interface IconButtonProps {
  readonly icon: keyof typeof paths;
  readonly label: string;
  readonly onPress: () => void;
}

const IconButton = ({ icon, label, onPress }: IconButtonProps) => (
  <button type="button" class="button quiet icon" data-tooltip={label} onClick={onPress}>
    <svg class={icon} viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={paths[icon]} />
    </svg>
    <span class="hidden-text">{label}</span>
  </button>
);

const Whose = ({ who }: { readonly who: Who }) => {
  const name = useName('principal', who.principalId) ?? who.principalId;
  return (
    <p class="whose">
      {isPerson(who) ? (
        <a href="/account" title={`${name}: your account`}>
          {name}
        </a>
      ) : (
        <span title={who.principalId}>{name}</span>
      )}
      <span class="faint">Tenant {who.tenantId}</span>
    </p>
  );
};

interface Props {
  readonly who: Who;
  readonly help: () => void;
}

export const AccountBar = ({ who, help }: Props) => {
  const [problem, setProblem] = useState<Problem>();
  return (
    <div class="who">
      <div class="tools">
        <Whose who={who} />
        <span class="buttons">
          <IconButton icon={theme.value} label={themeNames[theme.value]} onPress={nextTheme} />
          <IconButton icon="keys" label="Keyboard shortcuts" onPress={help} />
          <IconButton icon="leave" label="Sign out" onPress={() => void signOut().then(setProblem)} />
        </span>
      </div>
      {problem !== undefined && <ProblemMessage problem={problem} />}
    </div>
  );
};
