/** Sidebar: navigation, theme and signed-in principal. */
import { useEffect, useState } from 'preact/hooks';
import { ProblemMessage } from '../components/problem-message';
import icon from '../icon.svg';
import type { Problem } from '../kernel/problem';
import { signOut, type Who } from '../kernel/session';
import { nextTheme, theme } from '../kernel/theme';
import { useName } from '../references/reference';
import { PaletteButton } from './palette/command-palette';
import { sectionsFor } from './sections';

interface Props {
  readonly who: Who;
  readonly path: string;
  readonly help: () => void;
}

const isHere = (link: string, path: string): boolean => path === link || path.startsWith(`${link}/`);

const Sections = ({ who, path }: Omit<Props, 'help'>) => (
  <nav aria-label="Sections">
    {sectionsFor(who).map(({ title, links }) => (
      <div key={title}>
        <h2>{title}</h2>
        <ul>
          {links.map((link) => (
            <li key={link.path}>
              <a href={link.path} {...(isHere(link.path, path) ? { 'aria-current': 'page' as const } : {})}>
                {link.label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <ul>
      <li>
        <a href="/docs">API documentation</a>
      </li>
    </ul>
  </nav>
);

const themeNames = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

const Whose = ({ who, help }: Omit<Props, 'path'>) => {
  const [problem, setProblem] = useState<Problem>();
  return (
    <div class="who">
      <div class="tools">
        <p>
          <span title={who.principalId}>{useName('principal', who.principalId) ?? who.principalId}</span>
          <br />
          <span class="faint">Tenant {who.tenantId}</span>
        </p>
        <button type="button" class="button quiet small" onClick={() => void signOut().then(setProblem)}>
          Sign out
        </button>
      </div>
      <div class="tools">
        <button type="button" class="button quiet small" onClick={nextTheme}>
          {themeNames[theme.value]}
        </button>
        <button type="button" class="button quiet small" onClick={help}>
          Keyboard shortcuts
        </button>
      </div>
      {problem !== undefined && <ProblemMessage problem={problem} />}
    </div>
  );
};

export const Sidebar = ({ who, path, help }: Props) => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
    document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="top">
        <a class="brand" href="/console/">
          <img src={icon} alt="" width="24" height="24" />
          Septet
        </a>
        <button
          type="button"
          class="button menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <div id="menu" class="menu-content">
        <PaletteButton />
        <Sections who={who} path={path} />
        <Whose who={who} help={help} />
      </div>
    </header>
  );
};
