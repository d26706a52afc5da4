/** Keys of the player, for a page without the console's list of shortcuts, and their switch (WCAG 2.1.4). */
import { setShortcutsDisabled, shortcuts, shortcutsDisabled } from '../../kernel/keyboard-shortcuts';

export const PlayerKeyList = () => (
  <details class="watch-keys">
    <summary>Keys</summary>
    <label class="switch">
      <input
        type="checkbox"
        checked={!shortcutsDisabled.value}
        onChange={({ currentTarget }) => setShortcutsDisabled(!currentTarget.checked)}
      />
      Use single-key shortcuts
    </label>
    <dl class="keys">
      {shortcuts.value.map(({ keys, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <kbd>{keys}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  </details>
);
