/** Lists the shortcuts of the page and turns them on or off. */

import { Dialog } from '../components/dialog';
import { setShortcutsDisabled, shortcuts, shortcutsDisabled } from '../kernel/keyboard-shortcuts';
import { paletteKey } from './palette/palette-state';

interface Line {
  readonly label: string;
  readonly keys: readonly string[];
}

const KeyList = ({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) => (
  <section>
    <h3>{title}</h3>
    <dl class="keys">
      {lines.map(({ label, keys }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** The page's own stand before those of the shell, and take their keys. */
const lines = (): readonly Line[] => {
  const first = shortcuts.value.filter(
    ({ keys }, index, all) => all.findIndex((other) => other.keys === keys) === index,
  );
  return first.map(({ label, keys }) => ({ label, keys: keys.split(' ') }));
};

const rowKeys: Line = { label: 'Ids and times of a row', keys: ['←', '→'] };
const usesArrows = (): boolean => shortcuts.value.some(({ keys }) => keys === '←/→');

/** Links of the sidebar, each by its own name. */
const isToPage = ({ keys }: Line): boolean => keys.length > 1;
const pageOf = ({ label, keys }: Line): Line => ({ label: label.replace(/^Go to /, ''), keys });

export const ShortcutsHelp = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keyboard shortcuts" close={close}>
    <label class="switch">
      <input
        type="checkbox"
        checked={!shortcutsDisabled.value}
        onChange={(event) => setShortcutsDisabled(!event.currentTarget.checked)}
      />
      Use single-key shortcuts
    </label>
    <KeyList
      title="On this page"
      lines={[
        { label: 'Go to anything by its name', keys: [paletteKey] },
        ...(usesArrows() ? [] : [rowKeys]),
        ...lines().filter((line) => !isToPage(line)),
      ]}
    />
    <KeyList title="Go to" lines={lines().filter(isToPage).map(pageOf)} />
    <div class="actions">
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </div>
  </Dialog>
);
