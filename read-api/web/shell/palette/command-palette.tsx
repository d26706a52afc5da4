/** Finds and opens anything by its name: a combobox with a list of options (WAI-ARIA Authoring Practices, combobox pattern). */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog';
import { countOf } from '../../kernel/format';
import { navigate } from '../../kernel/router';
import type { Who } from '../../kernel/session';
import { closePalette, isPaletteOpen, openPalette, paletteKey } from './palette-state';
import type { Hit } from './sources';
import { type HitGroup, type SearchResults, useSearch } from './use-search';

const maxTextLength = 200;

interface GroupProps {
  readonly group: HitGroup;
  readonly idOf: (hit: Hit) => string;
  readonly chosen: Hit | undefined;
  readonly open: (hit: Hit) => void;
}

const Group = ({ group: { title, hits }, idOf, chosen, open }: GroupProps) => {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: groups of options are no fieldsets.
    <div role="group" aria-labelledby={id}>
      <div id={id} class="group" role="presentation">
        {title}
      </div>
      {hits.map((hit) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and handles the keys.
        <div
          key={hit.path}
          id={idOf(hit)}
          role="option"
          tabIndex={-1}
          aria-selected={hit === chosen}
          onClick={() => open(hit)}
        >
          <span class="label">{hit.label}</span>
          {hit.note !== undefined && <span class="note mono">{hit.note}</span>}
          {hit.section !== undefined && <span class="note">{hit.section}</span>}
        </div>
      ))}
    </div>
  );
};

const summaryOf = ({ isSearching, failed }: SearchResults, count: number): string => {
  if (isSearching) return 'Searching…';
  const missing = failed.length === 0 ? '' : ` ${failed.join(' and ')} could not be searched.`;
  return `${count === 0 ? 'Nothing found.' : countOf(count, 'result')}${missing}`;
};

const Palette = ({ who }: { readonly who: Who }) => {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const results = useSearch(who, text);
  const hits = results.groups.flatMap((group) => group.hits);
  const chosen = hits[Math.min(at, hits.length - 1)];
  const idOf = ({ path }: Hit): string => `${listId}-${encodeURIComponent(path)}`;
  const open = (hit: Hit): void => {
    closePalette();
    if (hit.path.startsWith('/console')) navigate(hit.path);
    else location.assign(hit.path);
  };
  const move = (step: number): void => {
    if (hits.length > 0) setAt((Math.min(at, hits.length - 1) + step + hits.length) % hits.length);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.path]);
  return (
    <Dialog title="Go to" close={closePalette}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Page, principal, client, document, file, place, repository or stream"
          aria-autocomplete="list"
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          {...(chosen === undefined ? {} : { 'aria-activedescendant': idOf(chosen) })}
          placeholder="A page, or a name or id of anything"
          value={text}
          maxLength={maxTextLength}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={pressed}
        />
        <div ref={list} id={listId} role="listbox" aria-label="Results" class="results">
          {results.groups.map((group) => (
            <Group key={group.title} group={group} idOf={idOf} chosen={chosen} open={open} />
          ))}
        </div>
        <p class="faint" role="status">
          {summaryOf(results, hits.length)}
        </p>
      </div>
    </Dialog>
  );
};

export const CommandPalette = ({ who }: { readonly who: Who }) => (isPaletteOpen.value ? <Palette who={who} /> : null);

export const PaletteButton = () => (
  <button type="button" class="button palette-button" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
    Go to… <kbd>{paletteKey}</kbd>
  </button>
);
