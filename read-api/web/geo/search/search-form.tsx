/** The fields of a search for places. */
import { FilterField } from '../../components/filter-field';
import { CheckField, ChoiceField, type Option } from '../../components/form-fields';
import type { FilterInput } from '../../kernel/use-filter-input';
import { distanceOf } from '../labels';
import { isPlaceName, pointOf, radiusOf, type SearchFields } from './search-fields';

const radii = [500, 1_000, 2_000, 5_000, 10_000, 25_000, 50_000] as const;
const withinOption = (meters: number): Option<string> => ({
  value: String(meters),
  label: `Within ${distanceOf(meters)}`,
});

const visibleMap: Option<string> = { value: '', label: 'The visible map' };
const nearFirst: Option<string> = { value: 'near', label: 'Within a distance: fill in Near first', isDisabled: true };

/** With the chosen radius, which an address may name as it likes. */
const areaOptions = ({ near, radius }: Pick<SearchFields, 'near' | 'radius'>): readonly Option<string>[] => {
  if (near.trim() === '') return [visibleMap, nearFirst];
  const chosen = radius === '' || Number.isNaN(Number(radius)) ? [] : [Number(radius)];
  const meters = [...new Set([...radii, ...chosen])].toSorted((one, other) => one - other);
  return [visibleMap, ...meters.map(withinOption)];
};
const orders: readonly Option<string>[] = [
  { value: '', label: 'Best match first' },
  { value: 'distance', label: 'Nearest first' },
];

/** The largest radius whose circle a map of this height shows whole. */
export const radiusFor = (metersOfHeight: number): string =>
  String(radii.findLast((meters) => meters * 3 <= metersOfHeight) ?? radii[0]);

interface Props extends Pick<FilterInput<keyof SearchFields>, 'typed' | 'type'> {
  /** Of places that were found. */
  readonly categories: readonly string[];
  readonly onRadius: (radius: string) => void;
  readonly onNear: (near: string) => void;
}

export const SearchForm = ({ typed, type, categories, onRadius, onNear }: Props) => {
  const { near } = typed;
  const isUsable = near.trim() === '' || isPlaceName(near) || pointOf(near) !== undefined;
  return (
    <search class="place-search">
      <FilterField
        label="Name or words"
        isSearch
        placeholder="Lisbon, cafés, …"
        value={typed.query}
        onType={(value) => type('query', value)}
      />
      <FilterField
        label="Category"
        placeholder="Any"
        suggestions={categories}
        value={typed.category}
        onType={(value) => type('category', value)}
      />
      <ChoiceField label="Area" value={radiusOf(typed)} options={areaOptions(typed)} onChoose={onRadius} />
      <FilterField
        label={isUsable ? 'Near' : 'Near: latitude and longitude'}
        placeholder="Town, or 38.7, -9.1"
        value={near}
        onType={onNear}
      />
      <ChoiceField
        label="Order"
        value={typed.sort}
        options={orders}
        onChoose={(value) => type('sort', value as 'distance' | '')}
      />
      <div class="switches">
        <CheckField label="Open now" checked={typed.open === 'true'} onCheck={(on) => type('open', on ? 'true' : '')} />
        <CheckField
          label="Explain the order"
          checked={typed.explain === '1'}
          onCheck={(on) => type('explain', on ? '1' : '')}
        />
      </div>
    </search>
  );
};
