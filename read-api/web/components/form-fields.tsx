/** Form fields with label, help text and the server's validation error. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly help?: ComponentChildren;
  /** The server's validation error. */
  readonly fault?: string | undefined;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

const LabeledField = ({
  label,
  help,
  fault,
  children,
}: Props & { readonly children: (attributes: Described) => ComponentChildren }) => {
  const id = useId();
  const notes = [help === undefined ? [] : [`${id}-help`], fault === undefined ? [] : [`${id}-fault`]].flat();
  const described = notes.length === 0 ? {} : { 'aria-describedby': notes.join(' ') };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...described, ...(fault === undefined ? {} : { 'aria-invalid': true as const }) })}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
};

interface TextProps extends Props {
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly maxLength: number;
  readonly isRequired?: boolean;
  /** Number of lines; undefined: a single-line input. */
  readonly rows?: number;
  readonly isNumber?: boolean;
  /** Offered while it is typed. */
  readonly suggestions?: readonly string[];
}

const tooLongText = (over: number, maxLength: number): string =>
  `Must be at most ${maxLength} characters: ${over} too many.`;

export const TextField = ({
  value,
  onType,
  maxLength,
  isRequired = false,
  rows,
  isNumber,
  suggestions,
  ...around
}: TextProps) => {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const tooLong = value.length <= maxLength ? undefined : tooLongText(value.length - maxLength, maxLength);
  // The browser would cut a longer text without a word, so the form is not sent instead.
  useEffect(() => input.current?.setCustomValidity(tooLong ?? ''), [tooLong]);
  return (
    <LabeledField {...around} fault={tooLong ?? around.fault}>
      {(described) => {
        const plain = { spellcheck: false, autocapitalize: 'off', autocomplete: 'off' } as const;
        const common = { ...described, ...plain, ref: input, value, required: isRequired };
        if (rows !== undefined)
          return <textarea {...common} rows={rows} onInput={(event) => onType(event.currentTarget.value)} />;
        return (
          <>
            <input
              {...common}
              type="text"
              inputMode={isNumber === true ? ('numeric' as const) : ('text' as const)}
              onInput={(event) => onType(event.currentTarget.value)}
              {...(suggestions === undefined ? {} : { list: `${described.id}-list` })}
            />
            {suggestions !== undefined && (
              <datalist id={`${described.id}-list`}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            )}
          </>
        );
      }}
    </LabeledField>
  );
};

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Cannot be chosen now; its label names why. */
  readonly isDisabled?: boolean;
}

interface ChoiceProps<Value extends string> extends Props {
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChoose: (value: Value) => void;
}

export function ChoiceField<Value extends string>({ value, options, onChoose, ...around }: ChoiceProps<Value>) {
  return (
    <LabeledField {...around}>
      {(described) => (
        <select {...described} value={value} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.isDisabled === true}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </LabeledField>
  );
}

interface CheckProps {
  readonly label: string;
  readonly help?: string;
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
}

export const CheckField = ({ label, help, checked, onCheck }: CheckProps) => {
  const id = useId();
  return (
    <div class="check">
      <label class="switch">
        <input
          type="checkbox"
          checked={checked}
          {...(help === undefined ? {} : { 'aria-describedby': id })}
          onChange={(event) => onCheck(event.currentTarget.checked)}
        />
        {label}
      </label>
      {help !== undefined && (
        <p class="help" id={id}>
          {help}
        </p>
      )}
    </div>
  );
};
