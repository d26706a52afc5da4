/** Lists the shortcuts of the page and turns them on or off. */

import { Dialog } from '../components/dialog';
import { setShortcutsDisabled, shortcuts, shortcutsDisabled } from '../kernel/keyboard-shortcuts';
import { paletteKey } from './palette/palette-state';

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
    <dl class="keys">
      <div>
        <dt>Go to anything by its name</dt>
        <dd>
          <kbd>{paletteKey}</kbd>
        </dd>
      </div>
      {shortcuts.value.map(({ keys, label }) => (
        <div key={keys}>
          <dt>{label}</dt>
          <dd>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
    <div class="actions">
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </div>
  </Dialog>
);
